"""What is asked of networks of blocks."""

from learner.vision.blocknet.blocks import Kind
from learner.vision.blocknet.network import BlockNet


def holds(net: BlockNet, kind: Kind) -> list[str]:
    """The texts below the part of a template."""
    part = next(block for block in net.blocks if block.kind == kind)
    waiting, texts = [part.number], []
    while waiting:
        block = net.blocks[waiting.pop(0)]
        texts += [block.text] if not block.children else []
        waiting = [*block.children, *waiting]
    return texts


def assert_sound(net: BlockNet) -> None:
    """What holds of every network."""
    for block in net.blocks:
        assert 0 <= sum(block.params) <= 1 + 1e-5 and min(block.params) >= 0
        for child in block.children:
            assert net.blocks[child].parent == block.number < child
        pairs = (("above", "below"), ("below", "above"), ("left", "right"), ("right", "left"))
        for here, there in pairs:
            for other in getattr(block, here):
                assert block.number in getattr(net.blocks[other], there)
                assert net.blocks[other].parent == block.parent
        if block.parent >= 0:
            assert block.is_kept <= net.blocks[block.parent].is_kept
