"""The exact solver of bounded boards with gravity and four in line: alpha-beta over bitboards."""
