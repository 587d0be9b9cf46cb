"""Scrapy settings of the project; what differs between sites comes from pipelines.yaml.

`SiteSpider.update_settings` adds each site's delay, limits, headers and user agent.
"""

BOT_NAME = "webstem"
SPIDER_LOADER_CLASS = "crawler.spiders.loader.SiteLoader"
COMMANDS_MODULE = "crawler.commands"
SPIDER_MODULES: list[str] = []

# Manners.
ROBOTSTXT_OBEY = True
AUTOTHROTTLE_ENABLED = True
# A pause in the configuration is the least one, not the mean of many.
DOWNLOAD_DELAY_JITTER = 0
COOKIES_ENABLED = True

# Scrapy opens these by default; both run what a local process sends them.
REMOTE_CONTROL_ENABLED = False
TELNETCONSOLE_ENABLED = False

# Of IPv4 and IPv6; Scrapy's default knows IPv4 alone.
TWISTED_DNS_RESOLVER = "scrapy.resolver.CachingHostnameResolver"

# Limits. A site's own limits replace the first two.
DOWNLOAD_MAXSIZE = 16 * 2**20
DOWNLOAD_TIMEOUT = 60
DOWNLOAD_WARNSIZE = 0
MEMUSAGE_ENABLED = True
MEMUSAGE_LIMIT_MB = 2048
DEPTH_LIMIT = 0  # The URL database keeps the depth: Scrapy's is lost with the process.
REDIRECT_MAX_TIMES = 10
# A refresh in the page is a link like others, so that its target is stored under its own URL.
METAREFRESH_ENABLED = False
# Pauses in a row that a host may ask for (429, 503 with Retry-After) before nothing more of it is
# fetched in this run. Origin: guess; twice what Scrapy tries.
HOST_PAUSES = 5
# Errors are page rows too.
HTTPERROR_ALLOW_ALL = True

DOWNLOADER_MIDDLEWARES = {
    "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
    "crawler.fetching.robots.ObeyRobotsTxt": 100,
    "scrapy.downloadermiddlewares.offsite.OffsiteMiddleware": None,
    "scrapy.downloadermiddlewares.defaultheaders.DefaultHeadersMiddleware": None,
    "crawler.fetching.headers.SiteHeaders": 400,
    "crawler.fetching.pauses.HostPauses": 560,
    "crawler.fetching.not_modified.UnaskedNotModified": 580,
    "scrapy.downloadermiddlewares.redirect.RedirectMiddleware": None,
    "crawler.fetching.redirects.SiteRedirectMiddleware": 600,
    "scrapy.downloadermiddlewares.cookies.CookiesMiddleware": None,
    "crawler.fetching.cookies.CookiesFileMiddleware": 700,
    "crawler.fetching.proxy.SiteProxy": 740,
    "crawler.fetching.hosts.AddressGuard": 800,
}
SPIDER_MIDDLEWARES = {
    # Depth, referrer and scope are the spider's and the URL database's.
    "scrapy.spidermiddlewares.depth.DepthMiddleware": None,
    "scrapy.spidermiddlewares.urllength.UrlLengthMiddleware": None,
}
EXTENSIONS = {
    "scrapy.extensions.throttle.AutoThrottle": None,
    "crawler.fetching.pace.HostThrottle": 0,
    "crawler.fetching.header_names.TolerantHeaderNames": 0,
    "crawler.fetching.robots.CrawlDelay": 0,
    "crawler.spiders.progress.CrawlProgress": 0,
}
ITEM_PIPELINES = {
    "extractor.beside_crawl.pipeline.ArticlePipeline": 200,
    "crawler.spiders.pipelines.ParquetPipeline": 300,
}
# Results of one callback that are worked on at once: the spider's callbacks give one item each, and
# Scrapy starts as many tasks for every response (measured: 100, its default, cost 15 % of a page).
CONCURRENT_ITEMS = 1
# Rows buffered before a part is written; at most twice that is in memory. Origin: guess.
PART_FLUSH_BYTES = 16 * 2**20
# A part is written with the first row that comes this long after the part before, so that a kill
# costs about what came in this time. Origin: guess.
PART_FLUSH_SECONDS = 60.0

# The URL database sees to duplicates.
DUPEFILTER_CLASS = "scrapy.dupefilters.BaseDupeFilter"
# Only what went wrong: under cron it is mailed. A terminal shows CrawlProgress besides.
LOG_LEVEL = "WARNING"
