"""What commands share at the terminal: options, a language, words printed, steps agreed to."""
