"""From readings to what may be asked in this match; the queue, hands, late falls, corrections."""
