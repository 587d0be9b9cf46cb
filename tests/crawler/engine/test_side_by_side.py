"""Which sites are worked on at once."""

from __future__ import annotations

import threading
import time

from crawler.config.sites import SiteConfig
from crawler.engine.side_by_side import Crew


def site(name: str = "a", host: str = "a.example") -> SiteConfig:
    return SiteConfig(name=name, start_urls=(f"http://{host}/",))


def test_sites_of_one_host_wait_for_each_other() -> None:
    lock, under_way, most = threading.Lock(), list[str](), list[int]()

    def work(each: SiteConfig) -> None:
        with lock:
            under_way.append(each.name)
            hosts = [name[0] for name in under_way]
            assert len(hosts) == len(set(hosts))
            most.append(len(hosts))
        time.sleep(0.05)
        with lock:
            under_way.remove(each.name)

    with Crew(2, work) as crew:
        for name in ("a1", "a2", "a3", "b1", "c1"):
            crew.add(site(name, f"{name[0]}.example"))
        assert crew.has("a3") and not crew.has("a4")
        while not crew.is_idle:
            crew.look()
    assert len(most) == 5 and max(most) == 2


def test_what_fails_is_worked_on_again() -> None:
    tries = list[str]()

    def work(each: SiteConfig) -> float | None:
        tries.append(each.name)
        return 0.01 if len(tries) < 3 else None

    with Crew(1, work) as crew:
        crew.add(site())
        while not crew.is_idle:
            crew.look()
    assert tries == ["a"] * 3
