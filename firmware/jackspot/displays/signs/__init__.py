"""Serial LED signs: alpha signs, seven segments, and any other by a template."""
