"""What an answer does (entering, settling, taking back), and whose answer counts."""
