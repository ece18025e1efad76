"""People at the table: who play a record, and computer players."""
