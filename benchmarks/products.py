"""Name, price and picture of products: `python -m benchmarks.products [SHOP.zip ...]`.

The scorer alone, with what pages say for machines hidden (JSON-LD, microdata, Open Graph). Each
shop is read with weights that were fitted to the others; `--shipped` takes those that come with the
project. A picture is right if it is the same file, whatever size the shop's software writes into
its name; a price if the amount is the same. Figures are means over shops.
"""

from __future__ import annotations

import argparse
import json
import sys
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from benchmarks.measures.figures import report
from learner.dom.teaching.gold import file_hash
from learner.vision.products.scorer import FIELDS, Weights, find_product, shipped_weights
from learner.vision.products.teaching import (
    ProductLesson,
    amount_of,
    examples_of,
    fit_weights,
    is_right,
    read_without_facts,
    write_weights,
)

SHOPS = Path(__file__).resolve().parents[2] / "shared" / "shops"


def read_shop(source: Path) -> Iterator[ProductLesson]:
    """The products of one archive that have gold."""
    with zipfile.ZipFile(source) as archive:
        folder = next(name for name in archive.namelist() if name.endswith("/gold.jsonl"))
        shop = folder.partition("/")[0]
        for line in archive.read(folder).decode("utf-8").splitlines():
            page = json.loads(line)
            product = page.get("product")
            if product:
                yield ProductLesson(
                    shop=shop,
                    url=page["url"],
                    html=archive.read(f"{shop}/pages/{page['path']}"),
                    name=product["name"],
                    amount=amount_of(product.get("price_text") or product.get("price") or ""),
                    picture=product.get("image"),
                )


def measure(lessons: Sequence[ProductLesson], weights: Weights) -> dict[str, float]:
    """Share of the products of one shop whose fields are right, where the gold has them."""
    right: dict[str, list[bool]] = {field: [] for field in FIELDS}
    for lesson in lessons:
        found = find_product(read_without_facts(lesson.html), lesson.url, weights)
        known = {"name": lesson.name, "price": lesson.amount, "picture": lesson.picture}
        for field in FIELDS:
            if known[field] is not None:
                best = getattr(found, field)
                right[field].append(best is not None and is_right(field, best.candidate, lesson))
    return {field: fmean(values) for field, values in right.items() if values}


def card_of(sources: Sequence[Path], figures: Mapping[str, float]) -> dict[str, dict[str, Any]]:
    """What weights were fitted to, by name and hash, and the figures."""
    return {
        "data": {source.name: f"sha256 {file_hash(source)}" for source in sources},
        "figures, shops left out": {name: round(value, 3) for name, value in figures.items()},
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0; 2 if a shop is missing."""
    parser = argparse.ArgumentParser(description="Measure what is found of products.")
    parser.add_argument("shops", nargs="*", type=Path, help="zip; default: all of them")
    parser.add_argument("--shipped", action="store_true", help="the weights of the project")
    parser.add_argument(
        "--write", type=Path, metavar="FILE", help="fit all shops, and write the weights to FILE"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE")
    options = parser.parse_args(arguments)
    sources = options.shops or sorted(SHOPS.glob("*.zip"))
    try:
        shops = {source.stem: list(read_shop(source)) for source in sources}
    except (OSError, StopIteration, KeyError, ValueError, zipfile.BadZipFile) as error:
        print(f"expected archives of shops: {error}", file=sys.stderr)
        return 2
    if not shops:
        print(f"{SHOPS}: no shops there", file=sys.stderr)
        return 2
    lessons = [lesson for shop in shops.values() for lesson in shop]
    examples = None if options.shipped else examples_of(lessons)
    per_shop = {}
    print(f"{'shop':20}" + "".join(f"{field:>10}" for field in FIELDS))
    for shop, own in shops.items():
        weights = (
            shipped_weights() if examples is None else fit_weights(examples, without=own[0].shop)
        )
        per_shop[shop] = measure(own, weights)
        print(f"{shop:20}" + "".join(f"{per_shop[shop].get(f, 0):>10.3f}" for f in FIELDS))
    means = {
        "image" if field == "picture" else field: fmean(
            each[field] for each in per_shop.values() if field in each
        )
        for field in FIELDS
    }
    if options.write and examples is not None:
        write_weights(options.write, fit_weights(examples), card_of(sources, means))
    report(means, options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
