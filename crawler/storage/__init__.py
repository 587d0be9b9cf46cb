"""Records and where they stay: Parquet partitions, merged parts, locks, whole files.
May import no other room."""
