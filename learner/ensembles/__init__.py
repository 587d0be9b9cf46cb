"""Models that training wrote: boosted trees as arrays, and the files that models come in.
May import no other room."""
