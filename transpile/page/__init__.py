"""One conversion as a page for a browser: the template on the left, the files on the right, with links between their lines."""
