"""Plug-ins of enemies: nothing of them is run, and each ends in one diagnostic, soon and with little memory."""

from __future__ import annotations

import os
import pathlib
import time
import tracemalloc

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.plugins.support import HEAD, codes, unpacked, written
from tests.support.examples import examples
from transpile.model.budget import Budget
from transpile.plugins import Plugins, read_plugins
from transpile.plugins.dump import dump_type

FINE = "\n\nclass Fine(resource.Resource):\n    properties_schema = {'a': S(S.STRING)}\n\n\n"
FINE += "def resource_mapping():\n    return {'A::Fine': Fine}\n"


def hostile(where: pathlib.Path, text: str) -> Plugins:
    """Reads a hostile module together with a harmless one, which must still be read."""
    begin = time.process_time()
    files: dict[str, str | bytes] = {"hostile.py": HEAD + text, "other.py": HEAD + FINE.replace("Fine", "Other")}
    plugin_set = read_plugins([written(where, files)], cache=False, budget=Budget())
    assert time.process_time() - begin < 30  # a few seconds
    assert "A::Other" in plugin_set.types
    return plugin_set


ENDLESS = {
    "recursion": "def f(n):\n    return f(n)\nX = f(1)\n",
    "two functions": "def f(n):\n    return [g(n), g(n)]\ndef g(n):\n    return [f(n), f(n)]\nX = f(1)\n",
    "fibonacci": "def f(n):\n    return 1 if n < 2 else f(n - 1) + f(n - 2)\nX = f(38)\n",
    "branches": "import os\ndef g(n):\n    if os.f():\n        return g(n + 1)\n    return g(n + 2)\ng(0)\n",
    "growing in place": "x = [1, 2]\nfor i in range(60):\n    x.extend(x)\n",
    "comprehension": "X = [a for a in range(10000) for b in range(10000) for c in range(10000)]\n",
    "comprehensions": "X = " + "[[" * 40 + "1" + " for a in range(10)] for b in range(10)]" * 40 + "\n",
    "generators": "X = [1 " + " ".join(f"for x{i} in (1, 2)" for i in range(300)) + "]\n",
    "many names": "".join(f"n{i} = {i}\n" for i in range(30_000)) + "x = [i for i in range(99999)]\n" * 3,
    "subclass hook": "class A(object):\n    def __init_subclass__(cls):\n        class B(A): pass\nclass C(A): pass\n",
    "forks in loops": "import os\nx = []\nfor i in range(300):\n    for j in range(300):\n        if os.f(i):\n"
    "            x.append(i)\n",
    "schema of itself": "x = {}\nfor n in 'abcdef':\n    x[n] = S(S.MAP, schema=x)\nclass R(resource.Resource):\n"
    "    properties_schema = x\ndef resource_mapping():\n    return {'A::B': R}\n",
    "dict of itself": "x = {'Type': 'Map'}\nx['Schema'] = {'a': x, 'b': x}\nclass R(resource.Resource):\n"
    "    properties_schema = {'x': x}\ndef resource_mapping():\n    return {'A::B': R}\n",
}  # fmt: skip


@pytest.mark.parametrize("name", ENDLESS)
def test_endless_code_is_stopped(name: str, tmp_path: pathlib.Path) -> None:
    assert codes(hostile(tmp_path, ENDLESS[name])) == ["HOT813"]


NESTED = {
    "parentheses": "X = " + "(" * 5_000 + ")" * 5_000 + "\n",
    "signs": "X = " + "-" * 100_000 + "1\n",
    "sums": "X = " + "+".join(["1"] * 50_000) + "\n",
    "attributes": "X = a" + ".b" * 50_000 + "\n",
    "not": "X = " + "not " * 50_000 + "1\n",
    "lambdas": "X = " + "lambda: " * 5_000 + "1\n",
    "large": "X = 1\n" * 200_000,
    "null bytes": "X = 1\0\n",
}


@pytest.mark.parametrize("name", NESTED)
def test_an_unparsable_module_is_one_diagnostic(name: str, tmp_path: pathlib.Path) -> None:
    assert codes(hostile(tmp_path, NESTED[name])) == ["HOT801"]


LARGE = {
    "growing text": "x = 'a'\nfor i in range(60):\n    x = x + x\n",
    "growing list": "x = [1]\nfor i in range(60):\n    x = [x, x]\n",
    "loops without an end": "while True:\n    x = 'a'\nwhile x:\n    while True:\n        x = x + x\n",
    "powers": "X = 2 ** 10**9\nY = 10**9 ** 10 ** 9\nZ = (2**4000)**4000\nW = 1 << 10**12\n",
    "products": "X = 'x' * 10**9\nY = [1] * 10**9\nZ = ('x' * 100000) * 100000\n",
    "formats": "X = '%1000000000d' % 3\nY = '{:1000000000}'.format(3)\nZ = f'{3:1000000000}'\nW = '%*d' % (10**9, 3)\n",
    "replacements": "X = ('a' * 100000).replace('', 'b' * 100000)\nY = ','.join(['a' * 1000] * 1000)\n",
    "ranges": "X = list(range(10**12))\nY = {i: i for i in range(10**8)}\n",
    "itself": "x = []\nx.append(x)\ny = x == x\nz = '%s' % (x,)\nw = copy.deepcopy(x)\n"
    "d = {}\nd['a'] = d\ne = str(d)\n",
    "ancestors": "class C0(object): pass\n" + "".join(f"class C{i}(C{i - 1}): pass\n" for i in range(1, 500)),
    "diamonds": "class A0(object): pass\nclass B0(object): pass\n"
    + "".join(f"class A{i}(A{i - 1}, B{i - 1}): pass\nclass B{i}(A{i - 1}, B{i - 1}): pass\n" for i in range(1, 100)),
    "forks": "import os\n" + "".join(f"x = 1\nif os.f{i}():\n    x = 2\n" for i in range(500)),
    "patterns": "import re\nX = re.match('(a+)+$', 'a' * 100)\nC = constraints.AllowedPattern('(a+)+$')\n",
    "floats": "X = {float('nan'): 1, float('inf'): 2}\nY = int(float('inf'))\nZ = int('9' * 999)\nW = str(10**4000)\n",
    "heat": "resource.Resource.properties_schema = {}\nproperties.Schema.STRING = 3\nproperties.Schema = None\n",
}


@pytest.mark.parametrize("name", LARGE)
def test_a_value_that_is_too_large_is_unknown(name: str, tmp_path: pathlib.Path) -> None:
    """The value is unknown; the rest of the module is read."""
    tracemalloc.start()
    plugin_set = hostile(tmp_path, LARGE[name] + FINE)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 100 << 20
    assert "A::Fine" in plugin_set.types


def test_import_cycles_and_chains(tmp_path: pathlib.Path) -> None:
    files: dict[str, str | bytes] = {f"m{i:03}.py": f"from m{i + 1:03} import *\nX = {i}\n" for i in range(300)}
    files["m300.py"] = "from m000 import *\nfrom m300 import *\nimport m300\n"
    plugin_set = read_plugins([written(tmp_path, files)], cache=False, budget=Budget())
    assert set(codes(plugin_set)) <= {"HOT813"}


def test_very_many_files(tmp_path: pathlib.Path) -> None:
    for i in range(6_000):
        (tmp_path / f"m{i}.py").write_text("X = 1\n", encoding="utf-8")
    assert codes(read_plugins([str(tmp_path)], cache=False, budget=Budget())) == ["HOT813"]


def test_files_that_are_none(tmp_path: pathlib.Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "directory.py").mkdir()
    (tmp_path / "zero.py").symlink_to("/dev/zero")
    (tmp_path / "secret.py").symlink_to("/etc/passwd")
    (tmp_path / "circle").symlink_to(tmp_path)
    plugin_set = read_plugins([str(tmp_path)], cache=False, budget=Budget())
    assert set(codes(plugin_set)) == {"HOT812"}
    assert not any("root:" in diagnostic.message for diagnostic in plugin_set.diagnostics)


TRACE = "open({0!r}, 'w').close()"
RUNS = [
    "{0}",
    "X = {0}",
    "__import__('os').system('touch ' + {1!r})",
    "import os\nos.mknod({1!r})",
    "import pathlib\npathlib.Path({1!r}).touch()",
    "class A(resource.Resource):\n    {0}",
    "class A(resource.Resource):\n    properties_schema = {{'a': S(S.STRING, default={0})}}",
    "def f(x={0}):\n    pass",
    "def f():\n    {0}\nf()",
    "def f():\n    {0}\n    return lambda c: c\n@f()\nclass A(object):\n    pass",
    "class M(type):\n    def __new__(mcs, *a):\n        {0}\n        return type.__new__(mcs, *a)\n"
    "class A(metaclass=M):\n    pass",
    "class A(object):\n    def __init_subclass__(cls):\n        {0}\nclass B(A):\n    pass",
    "class A(object):\n    @property\n    def x(self):\n        {0}\nX = A().x",
    "X = [{0} for _ in range(1)]",
    "X = f'{{{0}}}'",
    "X = (lambda: {0})()",
    "eval({2!r})\nexec({2!r})\ncompile({2!r}, 'x', 'exec')",
    "try:\n    raise ValueError()\nexcept ValueError:\n    {0}",
    "with open({1!r}, 'w'):\n    pass",
    "def translation_rules(self, p):\n    {0}\nclass R(resource.Resource):\n    translation_rules = translation_rules\n"
    "    FnGetRefId = translation_rules\ndef resource_mapping():\n    {0}\n    return {{'A::B': R}}",
    "X = copy.deepcopy(type('T', (), {{'__deepcopy__': lambda self, m: {0}}})())",
    "X = getattr(__builtins__, 'open')({1!r}, 'w')",
    "X = ().__class__.__base__.__subclasses__()",
    "X = '{{0.__class__}}'.format(open({1!r}, 'w'))",
]


@pytest.mark.parametrize("text", RUNS)
def test_nothing_is_run(text: str, tmp_path: pathlib.Path) -> None:
    """Each of these would create a file, at any level at which a module has code."""
    trace = str(tmp_path / "trace")
    call = TRACE.format(trace)
    where = tmp_path / "plugins"
    read_plugins([written(where, {"m.py": HEAD + text.format(call, trace, call) + "\n"})], cache=False, budget=Budget())
    assert not os.path.exists(trace)  # noqa: PTH110
    assert sorted(path.name for path in where.iterdir()) == ["m.py"]  # no byte code either


def test_the_traces_would_be_left(tmp_path: pathlib.Path) -> None:
    """The files above do their damage, if they are run."""
    trace = tmp_path / "trace"
    for text in RUNS[:5]:
        call = TRACE.format(str(trace))
        exec(compile(text.format(call, str(trace), call), "m", "exec"), {})
        assert trace.exists()
        trace.unlink()


WORDS = (
    "class", "def", "R", "(", ")", ":", "\n", "\n    ", "=", "{", "}", "[", "]", "'a'", "S", ".", ",", "STRING",
    "for", "in", "if", "lambda", "x", "1", "**", "*", "return", "yield", "import", "from", "resource.Resource", "%",
    "not", "properties_schema", "resource_mapping", "del", "try", "except", "while", "else", "raise", "print", "`",
    "\t", "@", "attributes_schema", "dict", "range", "super", "self", "await", "global", "with", "as", "0777", "is",
    "None",
)  # fmt: skip


@settings(max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(WORDS), max_size=60).map(" ".join) | st.text(max_size=200) | st.binary(max_size=200))
def test_any_text_is_read_without_a_failure(tmp_path: pathlib.Path, text: str | bytes) -> None:
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    plugin_set = read_plugins([written(tmp_path, {"m.py": data})], cache=False, budget=Budget())
    assert "HOT817" not in codes(plugin_set)


@settings(max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.randoms(use_true_random=False))
def test_mutated_plug_ins_are_read_without_a_failure(tmp_path: pathlib.Path, random: object) -> None:
    """Lines of real plug-ins in another order, twice, or cut."""
    assert hasattr(random, "choice")
    where = pathlib.Path(unpacked("shop", tmp_path))
    names = ["a_plain.py", "b_base.py", "c_derived.py", "d_computed.py", "g_fromheat.py", "h_legacy.py", "i_opaque.py"]
    file = where / random.choice(names)
    lines = file.read_text(encoding="utf-8").split("\n")
    for _ in range(random.randint(1, 6)):  # type: ignore[attr-defined]
        i, j = random.randrange(len(lines)), random.randrange(len(lines))  # type: ignore[attr-defined]
        match random.randrange(4):  # type: ignore[attr-defined]
            case 0:
                del lines[i]
            case 1:
                lines[i], lines[j] = lines[j], lines[i]
            case 2:
                lines.insert(i, lines[j])
            case _:
                lines[i] = lines[i].replace("'", "", 1).replace("(", "[", 1)
        lines = lines or [""]
    file.write_text("\n".join(lines), encoding="utf-8")
    plugin_set = read_plugins([str(where)], cache=False, budget=Budget())
    assert "HOT817" not in codes(plugin_set)
    for type_ in plugin_set.types.values():
        dump_type(type_)
