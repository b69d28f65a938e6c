"""What has an opinion on a text: keywords, vectors, models."""
