"""The desk as a function: input from boards, people or the clock gives entries and orders. Pure."""
