"""A whole hall in one process: many boards, each the real firmware, with people at each."""
