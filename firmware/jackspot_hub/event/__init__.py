"""The event as a function: entries and what was played give draws and standings. Pure."""
