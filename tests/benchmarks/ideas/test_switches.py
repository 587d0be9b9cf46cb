import pytest

from benchmarks.ideas.listed import IDEAS
from benchmarks.ideas.replacements import answer
from benchmarks.ideas.switches import Idea, IdeaGone, holder, switch_off
from learner.bodies import container
from learner.induction import clusters


@pytest.mark.parametrize("idea", [idea for idea in IDEAS if idea.target], ids=lambda i: i.name)
def test_every_idea_stands_in_the_learner(idea: Idea) -> None:
    owner, name = holder(idea)
    assert idea.change(vars(owner)[name]) is not vars(owner)[name]


@pytest.mark.parametrize(
    "target", ["learner.gone:f", "learner.kinds.measures:gone", "learner.site.affixes:Affixes.gone"]
)
def test_an_idea_that_is_gone_is_an_error(target: str) -> None:
    with pytest.raises(IdeaGone, match=target):
        switch_off(Idea("a test", target, answer(None)))


def test_a_function_is_replaced_wherever_it_was_imported(monkeypatch):
    for module in (container, clusters):
        monkeypatch.setattr(module, "find_container", container.find_container)
    switch_off(Idea("a test", "learner.bodies.container:find_container", answer("replaced")))
    assert container.find_container() == clusters.find_container() == "replaced"
