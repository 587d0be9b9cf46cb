from pathlib import Path

from benchmarks.ideas.listed import IDEAS, TRIMMING_REASONS
from learner.bodies import trimming


def test_names_of_ideas_are_unique():
    assert len({idea.name for idea in IDEAS}) == len(IDEAS)


def test_the_ideas_name_every_reason_of_the_trimming():
    text = Path(trimming.__file__).read_text()
    assert all(f'"{reason}"' in text for reason in TRIMMING_REASONS)
