"""What is open as a journal entry, and back."""
