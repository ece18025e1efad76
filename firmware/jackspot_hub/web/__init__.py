"""The hub's pages: the wall, people's phones, the desk."""
