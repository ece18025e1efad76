"""Serial LED signs: Alpha signs, seven-segment modules, and any other by a template."""
