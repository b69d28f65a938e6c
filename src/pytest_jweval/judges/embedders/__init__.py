"""Ways of making vectors of texts, each behind the `Embedder` Protocol."""
