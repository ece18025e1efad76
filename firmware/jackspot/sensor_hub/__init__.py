"""The sensor hub: a microcontroller that sees colours and hears knocks, read over a serial line."""
