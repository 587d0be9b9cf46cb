"""Extraction as a job over stored pages.

May import `figures`.
"""
