"""Designs from beginning to end: kernels, the command line, and copies of the sources."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlsmem.core.errors import InputError
from hlsmem.polyhedra import Map, UnionSet
from hlsmem.polyhedra.memoized import forget
from hlsmem.program.model import Order, Program, Storage
from hlsmem.program.options import Design
from hlsmem.read.c import kernel
from hlsmem.read.c.kernel_request import KernelRequest
from hlsmem.read.design import changed as with_settings
from hlsmem.read.design import load
from tests.families import by_default
from tests.read.loading import (
    CONFLICTS,
    DESIGNS,
    KERNEL,
    KERNEL_DESIGN,
    NETWORK,
    changed,
    load_text,
    messages_of,
    problems_of,
    stretches_of,
)
from tests.steps import KEPT

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def kernel_folder(tmp_path: Path) -> Path:
    (tmp_path / "copy.c").write_text(KERNEL)
    return tmp_path


def program_of(design: Design) -> Program:
    assert isinstance(design.input, Program)
    return design.input


def written(design: Design, folder: Path) -> Path:
    """The sources of a design in `folder`, and its file there."""
    for source in design.sources:
        path = folder / source.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source.text)
    return folder / design.file


def assert_same(one: Design, other: Design) -> None:
    """Equal, and equal in the isl values, which comparison leaves out."""
    assert one == other
    left, right = one.input, other.input
    assert left.context.is_equal(right.context)
    if not isinstance(left, Program) or not isinstance(right, Program):
        return
    assert left.live_in.is_equal(right.live_in)
    assert left.live_out.is_equal(right.live_out)
    for a, b in zip(left.statements, right.statements, strict=True):
        assert a.domain.is_equal(b.domain)
        assert a.schedule.is_equal(b.schedule)
        for x, y in zip((*a.reads, *a.writes), (*b.reads, *b.writes), strict=True):
            assert x.relation.is_equal(y.relation)


@pytest.mark.few(0.25)
@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*/*.yaml")), ids=lambda p: p.parent.name)
def test_a_copy_of_the_sources_gives_the_same_design(path: Path, tmp_path: Path) -> None:
    design = load(path)
    assert_same(load(written(design, tmp_path)), design)


@pytest.mark.parametrize("name", ["half.yaml", "bare.yaml"])
def test_a_copy_with_the_overrides_gives_the_same_design(name: str, tmp_path: Path) -> None:
    design = load(
        DESIGNS / name,
        parameters={"N": 16},
        settings=["plan.strict=true", "plan.method = lattice", "plan.strict=false"],
    )
    assert design.overrides == ("plan.method=lattice", "plan.strict=false", "params.N=16")
    copy = load(written(design, tmp_path), settings=design.overrides)
    assert_same(copy, design)
    assert copy.overrides == design.overrides
    assert copy.input.values == {"N": 16}


def test_blur() -> None:
    program = program_of(load(EXAMPLES / "blur" / "design.yaml"))
    assert (program.name, program.parameters, program.values) == ("blur", ("N",), {"N": 64})
    assert [(a.name, a.storage) for a in program.arrays.values()] == [
        ("in", Storage.EXTERNAL),
        ("out", Storage.EXTERNAL),
        ("blurx", Storage.MEMORY),
    ]
    assert [s.name for s in program.statements] == ["P", "C"]
    assert (
        program.statements[1]
        .reads[0]
        .relation.is_equal(
            Map("[N] -> { C[y,x] -> blurx[y-2,x] : N >= 3 and 2 <= y < N and 0 <= x < N }")
        )
    )
    assert program.live_in.is_equal(
        UnionSet("[N] -> { in[y,x] : N >= 3 and 0 <= y < N and 0 <= x < N + 2 }")
    )
    assert program.live_out.is_equal(
        UnionSet("[N] -> { out[y,x] : N >= 3 and 0 <= y < N - 2 and 0 <= x < N }")
    )
    assert (program.time_dimensions, program.step_dimensions) == (5, 4)
    assert program.order is Order.SEQUENTIAL


def test_kernel_and_network_of_blur_agree() -> None:
    kernel = program_of(load(EXAMPLES / "blur" / "design.yaml"))
    network = program_of(load(EXAMPLES / "blur" / "network.yaml"))
    for one, other in zip(kernel.statements, network.statements, strict=True):
        assert (one.name, one.iterators) == (other.name, other.iterators)
        assert one.domain.is_equal(other.domain)
        for x, y in zip((*one.reads, *one.writes), (*other.reads, *other.writes), strict=True):
            assert x.relation.is_equal(y.relation)
    assert kernel.live_in.is_equal(network.live_in)
    assert kernel.live_out.is_equal(network.live_out)


@pytest.mark.parametrize(("level", "steps"), [(None, 4), (1, 2), (2, 4)])
def test_a_level_of_a_kernel_is_a_loop(level: int | None, steps: int) -> None:
    changes = ["order=iteration"] + ([] if level is None else [f"pipeline.level={level}"])
    design = load(EXAMPLES / "blur" / "design.yaml", settings=changes)
    assert program_of(design).order is Order.ITERATION
    assert program_of(design).step_dimensions == steps
    assert design.pipeline.level == level


@pytest.mark.parametrize(("level", "steps"), [(None, 2), (1, 1), (3, 3)])
def test_a_level_of_a_network_is_a_dimension(level: int | None, steps: int) -> None:
    changes = [] if level is None else [f"pipeline.level={level}"]
    program = program_of(load(EXAMPLES / "blur" / "network.yaml", settings=changes))
    assert program.step_dimensions == steps


def test_options(tmp_path: Path) -> None:
    text = NETWORK + ("plan: {method: lattice, strict: true, budget: 5}\nhost: {storage: static}\n")
    design = load_text(tmp_path, text)
    assert (design.plan.method, design.plan.strict, design.plan.budget) == ("lattice", True, 5)
    assert design.host.storage == "static"
    assert design.plan.slack == 0
    assert (design.plan.round, design.plan.dimensions) == ("none", None)


def test_the_form_of_mappings(tmp_path: Path) -> None:
    design = load_text(tmp_path, NETWORK + "plan: {round: pow2, dimensions: 2}\n")
    assert (design.plan.round, design.plan.dimensions) == ("pow2", 2)


def test_the_function_of_a_kernel_may_be_left_out(kernel_folder: Path) -> None:
    design = load_text(kernel_folder, KERNEL_DESIGN)
    assert [source.name for source in design.sources] == ["design.yaml", "copy.c"]
    assert [statement.name for statement in design.input.statements] == ["W", "R"]  # type: ignore[union-attr]


def test_settings_of_the_arrays_of_a_kernel(kernel_folder: Path) -> None:
    text = KERNEL_DESIGN + (
        "arrays:\n"
        "  in: {storage: stream, type: uint8, index: [pixel]}\n"
        '  out: {storage: stream, departure: "{ out[i] -> [0, i, 2] }"}\n'
        '  a: {extents: ["N + 1"]}\n'
    )
    arrays = program_of(load_text(kernel_folder, text)).arrays
    assert (arrays["in"].storage, arrays["in"].index) == (Storage.STREAM, ("pixel",))
    assert arrays["in"].element.name == "uint8"
    assert arrays["in"].arrival is None
    assert arrays["out"].departure.is_equal(Map("[N] -> { out[i] -> [0, i, 2] }"))
    assert [str(extent) for extent in arrays["a"].extents or ()] == ["N + 1"]


def test_what_is_live_can_be_given(kernel_folder: Path) -> None:
    text = KERNEL_DESIGN + (
        'live_in: ["[N] -> { in[i] : 0 <= i < N }", "{ a[0] }"]\nlive_out: []\n'
    )
    program = program_of(load_text(kernel_folder, text))
    assert program.live_in.is_equal(UnionSet("[N] -> { in[i] : 0 <= i < N; a[0] : N > 0 }"))
    assert program.live_out.is_empty()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "arrays: {b: {storage: memory}}",
            "5:10: the kernel has no array 'b'; the arrays are: in, out, a",
        ),
        (
            "arrays: {a: {index: [x, y]}}",
            "5:21: 'a' has 1 dimension, but 2 index names; give as many of both",
        ),
        (
            'arrays: {a: {elements: "{ a[i] }"}}',
            "5:24: elements belongs to conflict sets;"
            " remove it: the accesses say which elements exist",
        ),
        (
            'arrays: {in: {arrival: "{ in[i] -> [0, i, 0] }"}}',
            "5:24: 'in' has arrival, but is no stream; add storage: stream, or remove arrival",
        ),
        (
            'arrays: {in: {storage: stream, arrival: "{ in[i] -> [i] }"}}',
            "5:41: arrival of 'in' has times of 1 dimension, but the schedules have 3;"
            " give as many",
        ),
        (
            'arrays: {in: {storage: stream, arrival: "{ in[i] -> [0, i, j] }"}}',
            "5:41: arrival of 'in' has several times for one element;"
            " give one time for every element",
        ),
        (
            'arrays: {in: {storage: stream, arrival: "{ a[i] -> [0, i, 0] }"}}',
            "5:41: 'a' stands where 'in' is meant; write in[...]",
        ),
        (
            'live_in: ["{ b[i] : i = 0 }"]',
            "5:11: there is no array 'b'; add b to arrays",
        ),
        (
            'live_out: ["{ out[0,0] }"]',
            "5:12: 'out' has 1 dimension, but 2 stand here; give an entry for every dimension",
        ),
        (
            "pipeline: {latency: {Q: 2}}",
            "5:22: there is no statement 'Q'; the statements are: W, R",
        ),
        (
            "pipeline: {level: 2}",
            "5:19: pipeline.level is 2, but there is only 1 level; choose a smaller one",
        ),
    ],
)
def test_what_does_not_fit_the_kernel(kernel_folder: Path, line: str, message: str) -> None:
    found = "\n".join(messages_of(kernel_folder, f"{KERNEL_DESIGN}{line}\n"))
    assert found == f"design.yaml:{message}"


def test_problems_of_kernel_and_design_come_together(kernel_folder: Path) -> None:
    (kernel_folder / "copy.c").write_text(changed(KERNEL, ("in[i]", "in[i * i]")))
    text = KERNEL_DESIGN + 'plan: {share: true}\ncontext: "[N] -> { : N > M }"\n'
    found = messages_of(kernel_folder, text)
    assert [one.split(": ")[0] for one in found] == [
        "copy.c:7:19",
        "design.yaml:5:15",
        "design.yaml:6:26",
    ]


def test_places_are_seen_from_where_the_user_stands(
    kernel_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (kernel_folder / "copy.c").write_text(changed(KERNEL, ("in[i]", "in[i * i]")))
    (kernel_folder / "design.yaml").write_text(KERNEL_DESIGN)
    monkeypatch.chdir(kernel_folder.parent)
    (problem,) = problems_of(Path(kernel_folder.name), KERNEL_DESIGN)
    assert str(problem.source_location) == f"{kernel_folder.name}/copy.c:7:19"


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ("none.c", "there is no file '{folder}/none.c'; check the name;"
         " it counts from the design"),
        ("../copy.c", "'../copy.c' is not below the folder of the design;"
         " move the design beside the kernel"),
        ("/copy.c", "'/copy.c' is not below the folder of the design;"
         " move the design beside the kernel"),
    ],
)  # fmt: skip
def test_files_of_kernels(kernel_folder: Path, file: str, message: str) -> None:
    text = changed(KERNEL_DESIGN, ("copy.c", file))
    (problem,) = problems_of(kernel_folder, text)
    expected = message.format(folder=kernel_folder)
    assert str(problem) == f"{kernel_folder}/design.yaml:4:16: {expected}"


def test_an_access_outside_of_its_array(kernel_folder: Path) -> None:
    (kernel_folder / "copy.c").write_text(changed(KERNEL, ("in[i]", "in[i + 1]")))
    assert messages_of(kernel_folder, KERNEL_DESIGN) == [
        "copy.c:7:16: 'W' reads in[8], but the extents of 'in' are [8] at N=8;"
        " correct the subscript, the domain or the extents"
    ]


def test_a_bare_kernel(kernel_folder: Path) -> None:
    design = load(kernel_folder / "copy.c", parameters={"N": 5}, settings=["order=iteration"])
    program = program_of(design)
    assert (program.name, program.values, program.order) == ("copy", {"N": 5}, Order.ITERATION)
    assert str(program.context) == "[N] -> {  : N > 0 }"
    assert design.file == "design.yaml"
    assert design.sources[0].text == (
        "hlsmem: 1\nname: copy\nparams: {N: 5}\nkernel: {file: copy.c}\n"
    )
    assert design.overrides == ("order=iteration",)


def test_a_copy_of_a_bare_kernel_gives_the_same_design(
    kernel_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    design = load(kernel_folder / "copy.c", parameters={"N": 5}, settings=["order=iteration"])
    copy = written(design, tmp_path_factory.mktemp("copy"))
    assert_same(load(copy, settings=design.overrides), design)


def test_a_setting_of_a_parameter_of_a_bare_kernel_is_its_value(kernel_folder: Path) -> None:
    settings = ["order=iteration", "params.N=5"]
    design = load(kernel_folder / "copy.c", settings=settings)
    known = load(kernel_folder / "copy.c", parameters={"N": 5}, settings=settings[:1])
    assert_same(design, known)
    assert design.sources == known.sources
    assert program_of(with_settings(design, ["plan.slack=1"])).values == {"N": 5}


def test_a_kernel_is_read_once_for_all_settings_that_ask_the_same_of_it(
    kernel_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    design = load(kernel_folder / "copy.c", settings=KEPT)
    asked: list[str] = []

    def counted(request: KernelRequest) -> kernel.KernelReading:
        asked.append(str(request.pipelines_loops))
        return read(request)

    read = kernel.read_kernel
    monkeypatch.setattr(kernel, "read_kernel", counted)
    forget()
    orders = ["{ W[i] -> [i]; R[i] -> [i + 1] }", "{ W[i] -> [i]; R[i] -> [i + 2] }"]
    found = [with_settings(design, [f'schedule="{one}"']) for one in orders]
    assert asked == ["False"]
    assert len({str(program_of(one).statements[1].schedule) for one in found}) == 2
    with_settings(design, ["kernel.loops=pipelined"])
    assert asked == ["False", "True"]
    (kernel_folder / "copy.c").write_text(KERNEL.replace("a[i] + 1", "a[i] + 2"))
    other = load(kernel_folder / "copy.c", settings=KEPT)
    asked.clear()
    assert_same(with_settings(other, []), other)
    assert asked == ["False"]


def test_a_bare_kernel_in_the_wrong(kernel_folder: Path) -> None:
    def messages(name: str, **parameters: int) -> list[str]:
        with pytest.raises(InputError) as caught:
            load(kernel_folder / name, parameters=parameters)
        return [str(one).replace(str(kernel_folder), "D") for one in caught.value.problems]

    assert messages("copy.c", N=5, n=3) == [
        "--param n=3: nothing in the kernel depends on 'n'; check it"
    ]
    assert messages("copy.c", N=0) == [
        "--param N=0: N=0 is outside of the context that every parameter is at least 1;"
        " choose other values, or change the context"
    ]
    assert messages("none.c", N=5) == ["there is no file 'D/none.c'; check the name"]


@pytest.mark.parametrize(
    ("stem", "name"),
    [
        ("2mm", "k2mm"),
        ("heat-3d", "heat_3d"),
        ("copy", "copy"),
        ("for", "for_"),
        ("é", "_"),
        ("a,b}: #c", "a_b____c"),
    ],
)
def test_a_bare_kernel_gets_a_name_from_its_file(tmp_path: Path, stem: str, name: str) -> None:
    (tmp_path / f"{stem}.c").write_text(KERNEL)
    design = load(tmp_path / f"{stem}.c", parameters={"N": 5}, settings=KEPT)
    assert design.input.name == name
    assert design.sources[0].text.splitlines()[1] == f"name: {name}"


SHARED = """\
void scale(const float in[8], float out[8])
{
    float eps = 0.1f, table[8], left, mine;
    for (int k = 0; k < 8; k++)
        table[k] = k;
#pragma scop
    for (int i = 0; i < 8; i++) {
        mine = in[i] * eps + table[i];
        out[i] = mine;
        left = mine;
    }
#pragma endscop
    out[0] = left;
}
"""


@pytest.mark.parametrize("storage", ["external", "memory"])
def test_variables_the_c_around_uses_are_live_there(tmp_path: Path, storage: str) -> None:
    (tmp_path / "scale.c").write_text(SHARED)
    names = ("eps", "table", "left")
    settings = [f"arrays.{name}.storage={storage}" for name in names if storage == "memory"]
    text = "hlsmem: 1\nname: scale\nkernel: {file: scale.c}\n"
    program = load_text(tmp_path, text, settings=settings).input
    assert isinstance(program, Program)
    assert {program.arrays[name].storage.value for name in names} == {storage}
    assert program.arrays["mine"].storage is Storage.MEMORY
    assert program.live_in.is_equal(
        UnionSet("{ eps[]; table[i] : 0 <= i < 8; in[i] : 0 <= i < 8 }")
    )
    assert program.live_out.is_equal(UnionSet("{ left[]; out[i] : 0 <= i < 8 }"))


def test_a_missing_design(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        load(tmp_path / "none.yaml")
    assert str(caught.value) == f"there is no file '{tmp_path}/none.yaml'; check the name"
    assert caught.value.exit_code == 2


def test_bad_yaml_is_named_with_its_folder(tmp_path: Path) -> None:
    assert messages_of(tmp_path, "name: [") == [
        "design.yaml:1:7: not valid YAML: expected the node content, but found"
        " '<stream end>'; check indentation, brackets and quotes; isl text needs quotes"
        " around it"
    ]
    assert messages_of(tmp_path, "name: x\nname: y\n")[0] == (
        "design.yaml:2:1: key 'name' stands here twice; keep one of the two"
    )


def test_bad_settings_are_all_reported(tmp_path: Path) -> None:
    bad = ["plan.method", "plan.budget=x", "network.make.statments={}", "name=while", "params.M=12"]
    found = problems_of(tmp_path, NETWORK, settings=bad, parameters={"M": 3})
    assert [str(one) for one in found] == [
        "--set plan.method: not KEY=VALUE; write it like --set plan.strict=true",
        "--param M=3: the design has no parameter 'M'; the parameters are: N",
        "--set network.make.statments={}: unknown key 'statments' in network.make;"
        " did you mean 'statements'?",
        "--set params.M=12: the design has no parameter 'M'; the parameters are: N",
        "--set plan.budget=x: plan.budget must be an integer, not 'x'; write it like 64",
    ]
    assert stretches_of(found[2:]) == ["network.make.statments", "params.M", "x"]


PIECES = ["N", "[", "}", '"', "null", "-1", ":", "->", "a", "mod", "\n", "()", "&a", "*a", "#", "é"]
TEXTS = [(DESIGNS / "half.yaml").read_text(), NETWORK, CONFLICTS, KERNEL_DESIGN]


@given(st.sampled_from(TEXTS), st.data())
@settings(max_examples=by_default(37, 150), deadline=None, derandomize=True)
def test_a_damaged_design_is_read_or_refused(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = start + data.draw(st.integers(0, 6))
    damaged = text[:start] + data.draw(st.sampled_from(["", *PIECES])) + text[end:]
    with TemporaryDirectory() as folder:
        (Path(folder) / "copy.c").write_text(KERNEL)
        (Path(folder) / "design.yaml").write_text(damaged)
        try:
            assert load(Path(folder) / "design.yaml").sources[0].text == damaged
        except InputError as error:
            assert str(error)  # noqa: PT017 - being refused is as good as being read


def test_the_name_of_a_design(tmp_path: Path) -> None:
    for text in (NETWORK, CONFLICTS):
        (message,) = messages_of(tmp_path, text, settings=["name=while"])
        assert message == (
            "--set name=while: the design name 'while' is a keyword of C; choose another name"
        )


def test_isl_text_on_the_command_line(tmp_path: Path) -> None:
    setting = 'context="[N] -> { : N >= 99 }"'
    (problem,) = problems_of(tmp_path, NETWORK, settings=[setting])
    assert problem.what == "N=8 is outside of the context '[N] -> { : N >= 99 }'"
    (problem,) = problems_of(tmp_path, NETWORK, settings=['context="[N] -> { : N >= K }"'])
    assert stretches_of([problem]) == ["K"]
    assert str(problem).startswith('--set context="[N] -> { : N >= K }": context uses ')
