"""Differences between two plans, in figures, and the rules that a change has to keep."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from hlsmem.core.errors import InputError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.plan.plan_figures import CLAIMS, NUMBERS, Metrics, is_optimal, metrics_of, total_of
from hlsmem.plan.plan_model import Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A figure that differs: of an array, or of all where `array` is None.

    `old` and `new` are None where a plan does not have it.
    """

    array: str | None
    metric: str
    old: int | str | None
    new: int | str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """Change of the program: a sentence, and what a new read costs in cells.

    `place` is FILE:LINE:COLUMN, empty where there is none; `array` the one that is read.
    """

    what: str
    place: str = ""
    array: str | None = None
    costs: int | None = None
    cells: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """A rule that the new plan does not keep."""

    rule: str
    what: str


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Difference:
    """Difference between two plans. It is empty for a plan and itself.

    `came` and `went` are arrays, `keys` what differs of the settings: name, old, new. `causes` are
    None where a side has no program at hand.
    """

    old: str
    new: str
    changes: tuple[Change, ...]
    came: tuple[str, ...]
    went: tuple[str, ...]
    keys: tuple[tuple[str, str, str], ...]
    causes: tuple[Cause, ...] | None = None
    broken: tuple[Broken, ...] = ()

    @property
    def is_empty(self) -> bool:
        """True if nothing differs."""
        return not (self.changes or self.came or self.went or self.keys or self.causes)

    def __repr__(self) -> str:
        return f"<Difference of {self.old} and {self.new}: {len(self.changes)} figures>"


def difference(old: Plan, new: Plan, texts: dict[str, tuple[str, str]]) -> Difference:
    """The figures that differ; `texts` are the mappings of arrays, old and new, as text.

    Raises InputError where the plans share no array.
    """
    shared = [name for name in old.arrays if name in new.arrays]
    if not shared and old.arrays and new.arrays:
        what = f"{old.design!r} and {new.design!r} share no array: there is nothing to compare"
        raise InputError(Problem(what, "compare two plans of one design"))
    changes: list[Change] = []
    for name in shared:
        one, other = metrics_of(old, name), metrics_of(new, name)
        changes += _changes(name, one, other)
        if texts[name][0] != texts[name][1]:
            before, after = texts[name]
            changes.append(Change(array=name, metric="mapping", old=before, new=after))
    changes += _changes(None, total_of(old), total_of(new))
    return Difference(
        old=old.design,
        new=new.design,
        changes=tuple(changes),
        came=tuple(name for name in new.arrays if name not in old.arrays),
        went=tuple(name for name in old.arrays if name not in new.arrays),
        keys=tuple(_keys(old, new)),
    )


def _changes(array: str | None, old: Metrics, new: Metrics) -> Iterator[Change]:
    for metric in (*NUMBERS, *CLAIMS):
        before, after = getattr(old, metric), getattr(new, metric)
        if before != after:
            yield Change(array=array, metric=metric, old=before, new=after)


def _keys(old: Plan, new: Plan) -> Iterator[tuple[str, str, str]]:
    for name in dict.fromkeys((*old.params, *new.params)):
        if old.params.get(name) != new.params.get(name):
            yield f"params.{name}", _text(old.params.get(name)), _text(new.params.get(name))
    for key in ("order", "strict", "slack"):
        if getattr(old, key) != getattr(new, key):
            yield key, _text(getattr(old, key)), _text(getattr(new, key))
    devices = [None if plan.target is None else plan.target.device for plan in (old, new)]
    if devices[0] != devices[1]:
        yield "target.device", _text(devices[0]), _text(devices[1])
    settings = [dict(one.partition("=")[::2] for one in plan.overrides) for plan in (old, new)]
    for key in dict.fromkeys((*settings[0], *settings[1])):
        known = key.startswith("params.") or key in ("order", "plan.strict", "plan.slack")
        if not known and settings[0].get(key) != settings[1].get(key):
            yield key, _text(settings[0].get(key)), _text(settings[1].get(key))


def _text(value: object) -> str:
    return "-" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """[ARRAY.]METRIC[+N|+N%]: how much a figure may grow; a claim stays as strong as it was."""

    text: str
    array: str | None
    metric: str
    more: int = 0
    is_share: bool = False

    @staticmethod
    def of(text: str) -> Rule:
        """The rule in a text; raises InputError where it is none.

        >>> Rule.of("blurx.words+5%").more
        5
        """
        found = re.fullmatch(r"(?:(\w+)\.)?(\w+)(?:\+(\d+)(%)?)?", text)
        known = (*NUMBERS, *CLAIMS)
        if found is None or found[2] not in known or (found[3] and found[2] in CLAIMS):
            what = f"--fail-on {text}: no rule"
            remedy = f"write [ARRAY.]METRIC[+N|+N%], METRIC one of {', '.join(known)}"
            raise InputError(Problem(what, remedy))
        return Rule(
            text=text,
            array=found[1],
            metric=found[2],
            more=int(found[3] or 0),
            is_share=found[4] is not None,
        )

    def broken(self, old: Plan, new: Plan) -> Iterator[Broken]:
        """Breaches of the rule by the new plan; raises InputError where a plan lacks the figure."""
        if self.array is not None and self.array not in (*old.arrays, *new.arrays):
            raise InputError(
                Problem(
                    f"--fail-on {self.text}: neither plan has an array {self.array!r}",
                    f"planned arrays: {', '.join(new.arrays) or 'none'}",
                )
            )
        if self.metric in CLAIMS:
            yield from self._weaker(old, new)
            return
        before, after = (self._figure(plan) for plan in (old, new))
        most = before + (before * self.more // 100 if self.is_share else self.more)
        if after > most:
            subject = f"{self.array}'s {self.metric}" if self.array else self.metric
            what = f"{subject}: {before} to {after}, {most} allowed"
            yield Broken(rule=self.text, what=what)

    def _figure(self, plan: Plan) -> int:
        if self.array is not None and self.array not in plan.arrays:
            return 0
        metrics = total_of(plan) if self.array is None else metrics_of(plan, self.array)
        found = metrics.number(self.metric)
        if found is None:
            raise InputError(
                Problem(
                    f"--fail-on {self.text}: the plan of {plan.design} has no {self.metric}",
                    "blocks, LUTs and flip-flops need target.device, a gap a bound; cycles are"
                    " those of a whole design whose run is predicted",
                )
            )
        return found

    def _weaker(self, old: Plan, new: Plan) -> Iterator[Broken]:
        for name in new.arrays if self.array is None else [self.array]:
            if name not in old.arrays or name not in new.arrays:
                continue
            before, after = (getattr(metrics_of(plan, name), self.metric) for plan in (old, new))
            strong = is_optimal if self.metric == "standing" else "all-parameters".__eq__
            if strong(before) and not strong(after):
                yield Broken(rule=self.text, what=f"{name}'s {self.metric}: {before} to {after}")


def broken_rules(rules: Sequence[Rule], old: Plan, new: Plan) -> tuple[Broken, ...]:
    """All that the new plan breaks."""
    return tuple(broken for rule in rules for broken in rule.broken(old, new))
