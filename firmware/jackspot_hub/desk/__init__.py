"""The desk as a function: what boards, people and the clock say gives entries and orders. Pure."""
