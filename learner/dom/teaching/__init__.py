"""What a page model learns from: labels of blocks, weights of words, files of pages with gold."""
