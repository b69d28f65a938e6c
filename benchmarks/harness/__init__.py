"""Running contenders in turn, measuring them, and telling what came out."""
