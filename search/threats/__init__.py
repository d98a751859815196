"""Search for threats: victory by continuous fours."""
