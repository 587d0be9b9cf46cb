from dataclasses import replace

from learner.bodies.comments import comment_signatures
from learner.site.languages import languages_of, site_languages
from learner.site.signatures import Signatures
from tests.handmade import layout, members, stories


def test_the_language_of_dates_that_the_known_ones_do_not_read():
    dates = ["7 mrt 2010", "3 mei 2010", "9 okt 2010"]
    assert languages_of(dates, ["nl"]) == ()
    assert languages_of(dates, ["en"])[0] in {"nl", "af", "fy", "nds"}
    assert languages_of(["5 apples", "no date"], ["en"]) == ()


def dated(day, language):
    tree = layout(f"<p>{day}</p><p>Una pagina del sito.</p>")
    tree.metadata = replace(tree.metadata, language=language)
    return tree


def test_the_languages_of_a_site_are_those_it_declares_and_that_of_its_dates():
    days = (f"{day} {month}, 2005" for day in range(1, 5) for month in ("luglio", "giugno"))
    italian = [dated(day, "") for day in days]
    assert site_languages(italian)[0] == "en"
    assert len(site_languages(italian)) == 2
    mixed = [dated("1", code) for code in ("pt_BR", "es-ES", "es", "fr", "Francais")]
    assert site_languages(mixed) == ("es", "fr", "en")


def test_comments_are_dated_in_the_language_of_their_site():
    record = "<li><p>By Ann on lug {}, 2005</p><p>{}</p></li>"
    cluster = members(
        layout(
            s.html + "<ol>" + "".join(record.format(n, s.paragraphs[n]) for n in (1, 2)) + "</ol>"
        )
        for s in stories(4)
    )
    signatures = Signatures([member.tree for member in cluster])
    assert not comment_signatures(cluster, signatures)
    italian = [replace(member, languages=("it", "en")) for member in cluster]
    assert comment_signatures(italian, signatures)
