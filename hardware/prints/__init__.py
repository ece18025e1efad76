"""The printed parts of a board: sizes, solids, checks, pictures. The page is README.md here."""
