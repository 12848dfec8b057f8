"""One conversion as a page for a browser: the template beside the files, with links between their lines."""
