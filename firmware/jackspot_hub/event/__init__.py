"""The event as a function: who is entered and what was played give draws and standings. Pure."""
