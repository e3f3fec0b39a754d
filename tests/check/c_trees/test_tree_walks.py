"""Walks over trees, and copies with other parts."""

from __future__ import annotations

from hlsmem.check.c_trees.tree_walks import names_in, nodes_in, with_children, with_node
from hlsmem.check.c_trees.written_text import text_of
from hlsmem.read.c import tree
from hlsmem.read.c.tree import INT


def sum_of_two() -> tree.BinaryOp:
    """`a[i] + p.x`."""
    element = tree.ArrayRef(tree.ID("a"), tree.ID("i"))
    return tree.BinaryOp("+", element, tree.StructRef(tree.ID("p"), "x", False))


def test_nodes_stand_in_the_order_of_the_text() -> None:
    names = [one.name for one in nodes_in(sum_of_two()) if isinstance(one, tree.ID)]
    assert names == ["a", "i", "p"]


def test_members_are_no_names_of_variables() -> None:
    assert names_in(sum_of_two()) == {"a", "i", "p"}


def test_another_node_makes_copies_of_what_is_around_it_alone() -> None:
    old = sum_of_two()
    new = with_node(old, old.left.subscript, tree.Constant("3", INT))
    assert (text_of(new), text_of(old)) == ("a[3] + p.x", "a[i] + p.x")
    assert new.right is old.right
    assert new.left.name is old.left.name


def test_a_node_of_which_nothing_changes_is_the_same() -> None:
    old = tree.ExprList((sum_of_two(), sum_of_two()))
    assert with_children(old, lambda child, _part: child) is old
    assert with_node(old, tree.ID("a"), tree.ID("b")) is old


def test_children_are_given_with_the_names_of_their_parts() -> None:
    asked: list[str] = []
    with_children(sum_of_two(), lambda child, part: asked.append(part) or child)
    assert asked == ["left", "right"]
