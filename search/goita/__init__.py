"""Searches and policies for Goita."""
