"""Layers that rule on one answer: its structure, its citations, its meaning."""
