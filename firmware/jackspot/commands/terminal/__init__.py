"""What commands share at the terminal: options, a language, printed text, confirmed steps."""
