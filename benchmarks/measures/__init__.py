"""Parts of measurements that a command of the folder above runs, and how figures are written.
Imports the packages that are measured, what they are measured on, and of commands what these
offer."""
