"""Writing what is open as a journal entry, and reading it back."""
