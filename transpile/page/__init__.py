"""One conversion as a page for a browser: the template beside what it became, line by line."""
