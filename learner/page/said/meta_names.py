"""What the names of `meta` elements tell: each is written in several ways."""

from __future__ import annotations

import re
from functools import lru_cache

MOST_NAMES = 2_000
"""Names that are remembered: pages of a site have the same. Origin: guess."""

_PUBLISHED = frozenset(
    "articlecreated articledateoriginal articlepublished articlepublishedtime btpubdate "
    "citationdate citationonlinedate citationpublicationdate cxenseparserecspublishtime date "
    "datecreated dateissued dateposted datepublished dccreated dcdate dcdatecreated dcdateissued "
    "dctermscreated dctermsdate dctermsissued eprintsdate ogarticlepublishedtime ogpubdate "
    "ogpublishdate originalpublicationdate parselypubdate postdate pubdate publicationdate "
    "publishdate publisheddate publishedtime sailthrudate shareaholicarticlepublishedtime".split()
)
"""Names of `meta` elements for the day of publication: Open Graph, schema.org, Dublin Core and the
usual others (list of htmldate, shortened). Here and below their letters only, for `publish_date` is
`publish-date` is `publishDate`."""

_MODIFIED = frozenset(
    "articlemodified articlemodifiedtime dateupdated datemodified dctermsmodified lastmod "
    "lastmodified ogarticlemodifiedtime ogupdatedtime".split()
)

_AUTHOR = frozenset(
    "articleauthor articleauthorname author authors byl citationauthor citationauthors creator "
    "dccreator dctermscreator ogarticleauthor parselyauthor sailthruauthor "
    "shareaholicarticleauthorname twitterdata1author".split()
)

_DESCRIPTION = ("ogdescription", "description", "twitterdescription", "dcdescription")

_IMAGE = ("ogimage", "ogimageurl", "ogimagesecureurl", "twitterimage", "twitterimagesrc")

_SECTION = ("articlesection", "ogarticlesection", "parselysection", "dcsubject")

_TAG = ("articletag", "ogarticletag", "parselytags", "newskeywords", "keywords")
"""Names of `meta` elements for each tag of a page, or for all of them, parted by commas."""

_KINDS = {
    **dict.fromkeys(_PUBLISHED, "published"),
    **dict.fromkeys(_MODIFIED, "modified"),
    **dict.fromkeys(_AUTHOR, "author"),
    **dict.fromkeys(_DESCRIPTION, "description"),
    **dict.fromkeys(_IMAGE, "image"),
    **dict.fromkeys(_SECTION, "section"),
    **dict.fromkeys(_TAG, "tag"),
    "ogsitename": "site_name",
    "language": "language",
    "contentlanguage": "language",
    "ogtitle": "title",
    "ogtype": "type",
}
"""What the names of `meta` elements tell."""

_LETTERS = re.compile("[a-z0-9]+")


@lru_cache(maxsize=MOST_NAMES)
def kind_of(name: str) -> str | None:
    """What a `meta` element of this name tells; None if nothing of note.

    >>> kind_of("article:published_time"), kind_of("Publish-Date"), kind_of("viewport")
    ('published', 'published', None)
    """
    return _KINDS.get("".join(_LETTERS.findall(name.lower())))
