"""The matrices of tools/soak, one module each, and the code that they share."""
