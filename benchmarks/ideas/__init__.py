"""The ideas of the learner: what holds each, what takes its place, which of them nobody misses.
Imports the packages that are measured, what they are measured on, and of `quality` how."""
