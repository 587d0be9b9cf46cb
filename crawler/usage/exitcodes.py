"""Exit codes of all commands; documented in README and in each command's help."""

EXIT_OK = 0
EXIT_FAILED = 1
"""The work was begun but not ended; the log says why. Run the command again to go on."""
EXIT_USAGE = 2
"""Wrong arguments; argparse and Scrapy use this code too."""
EXIT_CONFIG = 3
"""pipelines.yaml is missing or wrong, or has no such site."""
EXIT_LOCKED = 4
"""Another run works on the site."""
EXIT_NOTHING = 5
"""There is nothing to work on: no page, too few pages, no pattern."""
EXIT_ILL = 6
"""The work is done, and a site is ill or dead: articles are lost."""
