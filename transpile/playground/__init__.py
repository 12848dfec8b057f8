"""hot2tf in a browser: one conversion as data for the page `docs/playground`, and the requests of the page."""
