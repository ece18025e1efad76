"""People at the table: those who play a record, and computer players."""
