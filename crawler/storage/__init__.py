"""Records and where they stay: Parquet partitions, merged files, locks, whole files.

May import no other room.
"""
