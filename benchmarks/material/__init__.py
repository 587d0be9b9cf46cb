"""What is measured on: real sites in halves with their gold, crawls made of them, sites made up.
Imports the packages that are measured, and nothing of what measures."""
