"""The devices known, and what is said about others."""

from __future__ import annotations

from statistics import median

import pytest

from hlsmem.core.data_files import resource_folder
from hlsmem.core.errors import InputError
from hlsmem.devices import FAMILIES, device_named, family_of
from hlsmem.devices.primitives import Family


def test_a_device_and_a_family_are_found_by_name() -> None:
    assert family_of("ecp5-25k").name == "ecp5"
    assert family_of("xc7").name == "xc7"
    device = device_named("ecp5-25k")
    assert device is not None
    assert device.blocks == 56
    assert device_named("ecp5") is None


def test_names_are_unique_and_resources_positive() -> None:
    members = [device for family in FAMILIES.values() for device in family.devices]
    assert len({device.name for device in members} | set(FAMILIES)) == len(members) + len(FAMILIES)
    assert all(min(device.blocks, device.luts, device.flip_flops) > 0 for device in members)


def test_an_unknown_member_is_answered_with_those_of_its_family() -> None:
    with pytest.raises(InputError) as caught:
        device_named("ecp5-26k")
    assert str(caught.value) == (
        "'ecp5-26k' is no device known here; use ecp5: ecp5-12k, ecp5-25k, ecp5-45k, ecp5-85k"
    )


def test_an_unknown_family_is_answered_with_all() -> None:
    names = ", ".join(FAMILIES)
    with pytest.raises(InputError, match=rf"a family alone \({names}\) or .*xczu3eg"):
        family_of("stratix10")


@pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)
def test_a_block_is_worth_a_quarter_of_the_luts_beside_it(family: Family) -> None:
    beside = median(device.luts / device.blocks for device in family.devices)
    assert family.rate == round(beside / 4, -1)


@pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)
def test_an_output_register_has_its_text_in_the_library(family: Family) -> None:
    assert not family.output_leaf or (resource_folder("rtl") / family.output_leaf).is_file()
