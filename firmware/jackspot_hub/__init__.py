"""The organiser's hub: a festival of many boards. :mod:`jackspot` knows nothing of it."""
