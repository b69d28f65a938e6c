"""Models: asked, kept within limits, recorded, and read."""
