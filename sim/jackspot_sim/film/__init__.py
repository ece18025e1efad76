"""A match of the soak on film: the whole firmware at a simulated table, to be watched afterwards.

``filming`` plays a match and keeps what could be seen, instant by instant. ``parting``
compares the board's record with what happened. ``replay`` shows the film on the page,
``moving_picture`` as a GIF. Nothing here plays or judges: a film is what the soak would have
counted.
"""
