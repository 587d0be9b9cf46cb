from benchmarks.many_sites import many_sites, site_pages


def test_sites_differ_and_stay_the_same():
    first, second = site_pages(1, 10), site_pages(2, 10)
    assert [page.html for page in first] == [page.html for page in site_pages(1, 10)]
    assert not {page.html for page in first} & {page.html for page in second}


def test_a_night_of_two_sites():
    figures = many_sites(2, 40)
    assert figures["failed"] == figures["idle_tasks"] == 0
    assert 20 < figures["articles"] < figures["pages"] == 80
