"""The organiser's hub: a festival of many boards. :mod:`jackspot` does not depend on it."""
