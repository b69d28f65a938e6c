"""Web pages: fetched, kept, and read as the text that a person sees."""
