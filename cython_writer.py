"""Translates ordinary annotated Python into Cython, for ahead_of_time.py.

From the annotations of the sources this writes Cython: numbers become C numbers, arrays typed memoryviews, named tuples
classes with C fields, and module constants are written into the functions that use them. Nothing is guessed:
anything without an annotation stays a Python object, slow but correct. The translation gives the same bits as the
source.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent
SOURCES = ROOT / "src"
COMPILED = ("shieldwall/geometry", "shieldwall/bots/simulation")  # the packages whose modules are compiled
PLAIN = frozenset({"__init__", "arrays", "built", "tolerance"})  # modules of theirs that stay Python
# Modules that call each other all the time become one: the C compiler inlines small functions only within a module.
JOINED = {
    "shieldwall.geometry.moving": (
        "distance", "polygons", "cast", "sweep", "ground", "walk", "paths", "unit_moves", "contact_places",
        "tighten", "contact", "short_moves",
    ),
    "shieldwall.geometry.seeing": ("sight_lines", "sight_gaps", "sight_pairs"),
}  # fmt: skip

NUMBERS = {"float": "double", "int": "long long", "bool": "bint", "None": "void"}
ARRAYS = {
    "Floats": "double[::1]",
    "Matrix": "double[:, ::1]",
    "Cube": "double[:, :, ::1]",
    "Ints": "long long[::1]",
    "IntMatrix": "long long[:, ::1]",
    "Marks": "unsigned char[::1]",
    "MarkMatrix": "unsigned char[:, ::1]",
}
SIZES = {"double": ("float64", 8), "long long": ("int64", 8), "unsigned char": ("uint8", 1)}
BY_INDICES = {
    "float64": ("Floats", "Matrix", "Cube"),
    "int64": ("Ints", "IntMatrix"),
    "uint8": ("Marks", "MarkMatrix"),
}
NEW_ARRAYS = {"np.empty": "new", "np.zeros": "zeroed", "np.full": "filled"}
SCRATCH = "shieldwall.geometry._scratch"  # where compiled functions make their arrays
C_MATH = ("sqrt", "sin", "cos", "tan", "atan2", "asin", "acos", "exp", "log", "pow", "copysign", "fabs")
TO_C = {"int": "to_int", "float": "to_float", "bool": "to_bool", "round": "round_to_int"}
PREAMBLE = """\
cimport cython
from libc.math cimport INFINITY, ceil as c_ceil, floor as c_floor, rint as c_rint
from libc.math cimport {functions}
import math as py_math
import numpy as np

cdef inline long long to_int(double number) noexcept:
    return <long long>number

cdef inline double to_float(double number) noexcept:
    return number

cdef inline bint to_bool(bint number) noexcept:
    return number

cdef inline long long floor_to_int(double number) noexcept:
    return <long long>c_floor(number)

cdef inline long long ceil_to_int(double number) noexcept:
    return <long long>c_ceil(number)

cdef inline long long round_to_int(double number) noexcept:
    return <long long>c_rint(number)

from {scratch} cimport Mark, enter, leave, mark, release
""".format(
    functions=", ".join(f"{name} as c_{name}" for name in C_MATH),
    scratch=SCRATCH,
)


class BuildError(Exception):
    """A module cannot be compiled; the message says which, and why."""


class Module:
    """One source: its functions, its named tuples, and the constants it defines or imports."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = ".".join(path.relative_to(SOURCES).with_suffix("").parts)
        self.tree = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
        self.functions = {node.name: node for node in self.tree.body if isinstance(node, ast.FunctionDef)}
        self.classes = {node.name: node for node in self.tree.body if isinstance(node, ast.ClassDef)}
        self.constants: dict[str, object] = {}
        self.imported: dict[str, tuple[str, str]] = {}  # local name: (module, name there)

    def fields(self, name: str) -> list[tuple[str, str]]:
        """Fields of a named tuple with their annotations."""
        body = self.classes[name].body
        return [
            (ast.unparse(one.target), ast.unparse(one.annotation))
            for one in body
            if isinstance(one, ast.AnnAssign)
        ]


class Unit(NamedTuple):
    """What becomes one compiled module: one source, or several that are joined."""

    name: str
    modules: tuple[Module, ...]


class Library:
    """All sources together, so that names can be looked up where they are defined."""

    def __init__(self) -> None:
        found = [path for package in COMPILED for path in sorted((SOURCES / package).glob("*.py"))]
        every = [Module(path) for path in found if path.stem != "__init__"]
        self.modules = {module.name: module for module in every}
        self.compiled = [module for module in every if module.path.stem not in PLAIN]
        waiting = list(every)
        while waiting:  # modules after those whose constants they import
            module = waiting.pop(0)
            if any(name in {one.name for one in waiting} for name in _imports_of(module)):
                waiting.append(module)
            else:
                self._read_constants(module)
        self.units = self._units()
        self.unit_of = {module.name: unit for unit in self.units for module in unit.modules}
        self.reaching: dict[str, bool] = {}  # whether functions make arrays (`reaches_new_array`)

    def _units(self) -> list[Unit]:
        """Everything that is compiled, as it is joined; what takes longest to compile comes first."""
        found = []
        for name, stems in JOINED.items():
            package = name.rpartition(".")[0]
            found.append(Unit(name, tuple(self.modules[f"{package}.{stem}"] for stem in stems)))
        joined = {module.name for unit in found for module in unit.modules}
        return found + [Unit(module.name, (module,)) for module in self.compiled if module.name not in joined]

    def exported(self, unit: Unit) -> set[str]:
        """The functions of a unit that other units call; the rest stay private, which lets C compilers do more."""
        return {
            name
            for other in self.units
            if other is not unit
            for module in other.modules
            for there, name in module.imported.values()
            if self.unit_of.get(there) is unit
        }

    def _read_constants(self, module: Module) -> None:
        scope: dict[str, object] = {"math": math}
        for node in module.tree.body:
            if isinstance(node, ast.ImportFrom) and node.module in self.modules:
                there = self.modules[node.module]
                for one in node.names:
                    here = one.asname or one.name
                    module.imported[here] = (node.module, one.name)
                    if one.name in there.constants:
                        scope[here] = module.constants[here] = there.constants[one.name]
            elif isinstance(node, ast.Assign):
                try:
                    exec(compile(ast.Module([node], []), str(module.path), "exec"), scope)
                except NameError:
                    continue  # a name for a type
                for target in node.targets:
                    for part in ast.walk(target):
                        if isinstance(part, ast.Name) and _is_number(scope.get(part.id)):
                            module.constants[part.id] = scope[part.id]

    def origin(self, module: Module, name: str) -> tuple[Module, str]:
        """The module that defines a name, and the name there."""
        if name in module.imported:
            there, original = module.imported[name]
            return self.origin(self.modules[there], original)
        return module, name

    def function(self, module: Module, name: str) -> ast.FunctionDef | None:
        """The function that a name refers to in a module."""
        there, original = self.origin(module, name)
        return there.functions.get(original) if there in self.compiled else None

    def used_by(self, unit: Unit) -> set[str]:
        """The names of the units that one depends on, directly or indirectly, including itself."""
        found: set[str] = set()
        waiting = [unit]
        while waiting:
            one = waiting.pop()
            if one.name not in found:
                found.add(one.name)
                names = [name for module in one.modules for name in _imports_of(module)]
                waiting += [self.unit_of[name] for name in names if name in self.unit_of]
        return found

    def is_class(self, module: Module, name: str) -> bool:
        """Whether a name refers to a compiled named tuple."""
        there, original = self.origin(module, name)
        return there in self.compiled and original in there.classes


def _imports_of(module: Module) -> Iterator[str]:
    for node in module.tree.body:
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module


def _is_number(value: object) -> bool:
    if isinstance(value, tuple):
        return bool(value) and all(isinstance(one, int | float) for one in value)
    return isinstance(value, int | float)


def c_type(library: Library, module: Module, annotation: str) -> str:
    """The C type of an annotation."""
    if annotation in NUMBERS:
        return NUMBERS[annotation]
    if annotation in ARRAYS:
        return ARRAYS[annotation]
    if annotation.startswith("tuple["):
        parts = parts_of(annotation)
        if all(part in NUMBERS for part in parts):
            return f"({', '.join(NUMBERS[part] for part in parts)})"
    if library.is_class(module, annotation):
        return annotation
    raise BuildError(f"{module.path}: no C type is known for the annotation {annotation!r}")


def parts_of(annotation: str) -> list[str]:
    """The types of the elements of a tuple."""
    return [part.strip() for part in annotation[len("tuple[") : -1].split(",")]


def signature(library: Library, module: Module, node: ast.FunctionDef) -> str:
    """A function's head in Cython."""
    if (
        node.args.defaults
        or node.args.kwonlyargs
        or node.args.vararg
        or node.args.kwarg
        or node.returns is None
    ):
        raise BuildError(
            f"{module.path}:{node.lineno}: {node.name} needs plain annotated arguments and a return type"
        )
    back = c_type(library, module, ast.unparse(node.returns))
    return f"cdef {back} {node.name}({arguments(library, module, node)})"


def arguments(library: Library, module: Module, node: ast.FunctionDef) -> str:
    """A function's arguments in Cython."""
    given = []
    for arg in node.args.args:
        if arg.annotation is None:
            raise BuildError(f"{module.path}:{node.lineno}: {node.name}: {arg.arg} has no annotation")
        given.append(f"{c_type(library, module, ast.unparse(arg.annotation))} {arg.arg}")
    return ", ".join(given)


def makes_arrays(library: Library, module: Module, node: ast.FunctionDef) -> bool:
    """Whether a function may make arrays that it does not return."""
    if returns_arrays(library, module, node):
        return False
    return any(
        found is None or (returns_arrays(library, *found) and reaches_new_array(library, *found))
        for found in _makers_in(library, module, node)
    )


def reaches_new_array(library: Library, module: Module, node: ast.FunctionDef) -> bool:
    """Whether an array may be made while a function runs."""
    key = f"{module.name}.{node.name}"
    if key not in library.reaching:
        library.reaching[key] = False  # as long as only the function itself is known to be called
        library.reaching[key] = any(
            found is None or reaches_new_array(library, *found) for found in _makers_in(library, module, node)
        )
    return library.reaching[key]


def _makers_in(
    library: Library, module: Module, node: ast.FunctionDef
) -> Iterator[tuple[Module, ast.FunctionDef] | None]:
    """All compiled functions that a function calls; None for a call that makes an array."""
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and ast.unparse(call.func) in NEW_ARRAYS:
            yield None
        elif isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
            there, name = library.origin(module, call.func.id)
            if there in library.compiled and name in there.functions:
                yield there, there.functions[name]


def returns_arrays(library: Library, module: Module, node: ast.FunctionDef) -> bool:
    """Whether a function returns an array, or something that may hold arrays."""
    back = "" if node.returns is None else ast.unparse(node.returns)
    return back in ARRAYS or library.is_class(module, back)


class Body(ast.NodeTransformer):
    """Rewrites one function: constants, mathematics and casts in C, arrays with their types."""

    def __init__(self, library: Library, module: Module, node: ast.FunctionDef) -> None:
        self.library, self.module, self.node = library, module, node
        self.locals = {arg.arg for arg in node.args.args} | {
            one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
        }
        self.arrays: dict[str, str] = {}  # local variables that hold arrays, with their C types
        self.tables: set[str] = set()  # constants that are tuples

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Write constants out."""
        if isinstance(node.ctx, ast.Load) and node.id not in self.locals:
            value = self.module.constants.get(node.id)
            if isinstance(value, tuple):
                self.tables.add(node.id)
                return ast.Name(f"table_{node.id}", ast.Load())
            if value is not None:
                return literal(value)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """Translate math.inf and the like."""
        if (
            isinstance(node.value, ast.Name)
            and node.value.id in {"math", "np"}
            and node.attr in {"inf", "pi"}
        ):
            return ast.Name("INFINITY", ast.Load()) if node.attr == "inf" else literal(math.pi)
        self.generic_visit(node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Translate C library functions, casts, and what makes arrays and named tuples."""
        if ast.unparse(node.func) in NEW_ARRAYS:
            return self._new_array(node)
        self.generic_visit(node)
        func = node.func
        if isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name) and func.value.id == "math":
            if func.attr in C_MATH:
                node.func = ast.Name(f"c_{func.attr}", ast.Load())
            elif func.attr in {"floor", "ceil"}:
                node.func = ast.Name(f"{func.attr}_to_int", ast.Load())
            else:
                func.value.id = "py_math"  # slow and exact
        elif isinstance(func, ast.Name) and func.id not in self.locals:
            if func.id in TO_C and len(node.args) == 1:
                node.func = ast.Name(TO_C[func.id], ast.Load())
            elif self.library.is_class(self.module, func.id):
                there, name = self.library.origin(self.module, func.id)
                given = {word.arg: word.value for word in node.keywords}
                order = [field for field, _ in there.fields(name)][len(node.args) :]
                node = ast.Call(
                    ast.Name(f"new_{func.id}", ast.Load()), node.args + [given[field] for field in order], []
                )
        return node

    def _new_array(self, node: ast.Call) -> ast.expr:
        """A new array, in memory that is free again when the function that made it is done."""
        kind, shape = self._array_kind(node), node.args[0]
        sizes = shape.elts if isinstance(shape, ast.Tuple) else [shape]
        how = NEW_ARRAYS[ast.unparse(node.func)]
        return ast.Call(
            ast.Name(f"{how}_{kind}", ast.Load()), [self.visit(one) for one in (*sizes, *_fill_of(node))], []
        )

    def visit_Assign(self, node: ast.Assign) -> ast.Assign:
        """Note which variables hold new arrays."""
        for target in node.targets:
            self._note(target, node.value)
        self.generic_visit(node)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        """A variable's annotation becomes its C type."""
        kind = c_type(self.library, self.module, ast.unparse(node.annotation))
        self.arrays[ast.unparse(node.target)] = kind
        self.generic_visit(node)
        if node.value is None:
            return ast.Pass()
        return ast.Assign([node.target], node.value, lineno=node.lineno)

    def visit_Return(self, node: ast.Return) -> ast.stmt:
        """A conditional tuple becomes two branches, so only one is made."""
        value = node.value
        if isinstance(value, ast.IfExp) and isinstance(value.body, ast.Tuple):
            branches: list[ast.stmt] = [
                ast.copy_location(ast.Return(one), node) for one in (value.body, value.orelse)
            ]
            choice = ast.copy_location(ast.If(value.test, branches[:1], branches[1:]), node)
            self.generic_visit(choice)
            return choice
        self.generic_visit(node)
        return node

    def visit_For(self, node: ast.For) -> ast.For:
        """Refuse a loop over a tuple of numbers, which would turn them into Python objects."""
        if not (isinstance(node.iter, ast.Call) and ast.unparse(node.iter.func) == "range"):
            raise BuildError(f"{self.module.path}:{node.lineno}: loops run over range() only")
        self.generic_visit(node)
        return node

    def _note(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name) and (kind := self._array_kind(value)):
            self.arrays[target.id] = ARRAYS[kind]
        elif isinstance(target, ast.Tuple) and isinstance(value, ast.Call):
            back = self._annotation_of(value)
            for one, part in zip(target.elts, parts_of(back), strict=False):
                if isinstance(one, ast.Name) and part in ARRAYS:
                    self.arrays[one.id] = ARRAYS[part]
        elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            for one, given in zip(target.elts, value.elts, strict=True):
                self._note(one, given)

    def _annotation_of(self, call: ast.Call) -> str:
        if isinstance(call.func, ast.Name):
            found = self.library.function(self.module, call.func.id)
            if found is not None and found.returns is not None:
                return ast.unparse(found.returns)
        return ""

    def _array_kind(self, value: ast.expr) -> str:
        """The kind of array that an expression makes, if it makes one."""
        if not isinstance(value, ast.Call):
            return ""
        back = self._annotation_of(value)
        if back in ARRAYS:
            return back
        if ast.unparse(value.func) not in NEW_ARRAYS:
            return ""
        shape, *more = value.args[: 3 if ast.unparse(value.func) == "np.full" else 2]
        typed = [word.value for word in value.keywords if word.arg == "dtype"] or more[len(_fill_of(value)) :]
        dtype = ast.unparse(typed[0]) if typed else "np.float64"
        indices = len(shape.elts) if isinstance(shape, ast.Tuple) else 1
        return BY_INDICES[dtype.removeprefix("np.")][indices - 1]


class LocalTypes:
    """Which local variables of a function only ever hold numbers of one type.

    Cython gives up on a variable that depends on itself, as in `best = min(best, found)`, and keeps it as a
    Python object; declared variables stay in C.
    """

    def __init__(self, library: Library, module: Module, node: ast.FunctionDef) -> None:
        self.library, self.module = library, module
        self.types = {arg.arg: ast.unparse(arg.annotation) for arg in node.args.args if arg.annotation}
        self.given = frozenset(self.types)
        self.assigned = list(self._assignments(node))
        before: dict[str, str] = {}
        while before != self.types:  # until nothing new is learnt; a type only ever becomes less certain
            before = dict(self.types)
            for name, value in self.assigned:
                if name not in self.given:
                    found = value if isinstance(value, str) else self.of(value)
                    self.types[name] = joined_types(self.types.get(name, ""), found)

    def declared(self) -> dict[str, str]:
        """The C types of local variables that hold numbers."""
        return {
            name: NUMBERS[kind]
            for name, kind in self.types.items()
            if name not in self.given and kind in {"float", "int", "bool"}
        }

    def _assignments(self, node: ast.FunctionDef) -> Iterator[tuple[str, ast.expr | str]]:
        """Every variable that is assigned, with the assigned expression, or its type if that is known."""
        for one in ast.walk(node):
            if isinstance(one, ast.Assign):
                for target in one.targets:
                    yield from self._into(target, one.value)
            elif isinstance(one, ast.AnnAssign):
                yield ast.unparse(one.target), ast.unparse(one.annotation)
            elif isinstance(one, ast.AugAssign) and isinstance(one.target, ast.Name):
                yield one.target.id, ast.BinOp(ast.Name(one.target.id, ast.Load()), one.op, one.value)
            elif isinstance(one, ast.For) and isinstance(one.target, ast.Name):
                yield one.target.id, "int"
            elif isinstance(one, ast.NamedExpr):
                yield one.target.id, one.value

    def _into(self, target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr | str]]:
        if isinstance(target, ast.Name):
            yield target.id, value
        elif isinstance(target, ast.Tuple):
            for at, one in enumerate(target.elts):
                if isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts):
                    yield from self._into(one, value.elts[at])
                elif isinstance(one, ast.Name):
                    yield one.id, ast.Subscript(value, ast.Constant(at), ast.Load())

    def of(self, node: ast.expr) -> str:
        """The type of an expression as an annotation would name it; empty: not known yet, "?": never known."""
        match node:
            case ast.Constant(value=value):
                return type(value).__name__
            case ast.Name(id=name):
                if name in self.types or name not in self.module.constants:
                    return self.types.get(name, "")
                return _type_of_value(self.module.constants[name])
            case ast.UnaryOp(op=ast.Not()) | ast.Compare():
                return "bool"
            case ast.UnaryOp(operand=operand):
                return _as_number(self.of(operand))
            case ast.BinOp(left=left, op=op, right=right):
                return _type_of_sum(self.of(left), op, self.of(right))
            case ast.BoolOp(values=values):
                return joined_types(*(self.of(one) for one in values))
            case ast.IfExp(body=body, orelse=orelse):
                return joined_types(self.of(body), self.of(orelse))
            case ast.Attribute(value=value, attr=attr):
                return self._of_attribute(value, attr)
            case ast.Subscript(value=value, slice=index):
                return self._of_item(self.of(value), index)
            case ast.Call():
                return self._of_call(node)
        return "?"

    def _of_attribute(self, value: ast.expr, attr: str) -> str:
        if isinstance(value, ast.Name) and value.id in {"math", "np"}:
            return "float"
        if attr == "shape":
            return "shape"
        kind = self.of(value)
        if kind and self.library.is_class(self.module, kind):
            there, name = self.library.origin(self.module, kind)
            return dict(there.fields(name)).get(attr, "?")
        found = [module for module in self.library.compiled if kind in module.classes]
        return dict(found[0].fields(kind)).get(attr, "?") if len(found) == 1 else "?" if kind else ""

    def _of_item(self, kind: str, index: ast.expr) -> str:
        if kind == "":
            return ""
        if kind == "shape":
            return "int"
        if kind.startswith("tuple["):
            parts = parts_of(kind)
            if isinstance(index, ast.Constant) and isinstance(index.value, int):
                return parts[index.value]
            return joined_types(*parts)
        if kind not in ARRAYS:
            return "?"
        given = index.elts if isinstance(index, ast.Tuple) else [index]
        left = ARRAYS[kind].count(",") + 1 - sum(not isinstance(one, ast.Slice) for one in given)
        family = next(family for family in BY_INDICES.values() if kind in family)
        if left:
            return family[left - 1]
        return "float" if family == BY_INDICES["float64"] else "int"

    def _of_call(self, node: ast.Call) -> str:
        called = ast.unparse(node.func)
        if called in {"int", "len", "round", "math.floor", "math.ceil"}:
            return "int" if len(node.args) == 1 else "?"
        if called in {"float", "bool"}:
            return called
        if called in {"min", "max"}:
            return joined_types(*(_as_number(self.of(one)) for one in node.args))
        if called == "abs":
            return _as_number(self.of(node.args[0]))
        if called.startswith("math."):
            return "float"
        if isinstance(node.func, ast.Name):
            found = self.library.function(self.module, called)
            if found is not None and found.returns is not None:
                return ast.unparse(found.returns)
            if self.library.is_class(self.module, called):
                return called
        return Body(self.library, self.module, _NOTHING)._array_kind(node) or "?"


_NOTHING = ast.FunctionDef(
    "nothing", ast.arguments([], [], None, [], [], None, []), [ast.Pass()], [], returns=None
)


def joined_types(*kinds: str) -> str:
    """The type of something that is either of two; booleans count as integers."""
    known = set(kinds) - {""}
    if len(known) < 2:
        return known.pop() if known else ""
    return "int" if known == {"int", "bool"} else "?"


def _as_number(kind: str) -> str:
    return "int" if kind == "bool" else kind if kind in {"", "int", "float"} else "?"


def _type_of_sum(left: str, op: ast.operator, right: str) -> str:
    """The type of a sum, a product and so on."""
    both = {_as_number(left), _as_number(right)}
    if "?" in both:
        return "?"
    if isinstance(op, ast.Div):
        return "float"
    if "float" in both:
        return "float"
    if "" in both or isinstance(op, ast.Pow):
        return "" if "" in both else "?"
    return "int"


def _type_of_value(value: object) -> str:
    if isinstance(value, tuple):
        return f"tuple[{', '.join(type(one).__name__ for one in value)}]"
    return type(value).__name__


def _fill_of(call: ast.Call) -> list[ast.expr]:
    """The number a new array is filled with, if it is one."""
    return call.args[1:2] if ast.unparse(call.func) == "np.full" else []


def literal(value: object) -> ast.expr:
    """A number as C would write it."""
    if isinstance(value, float) and math.isinf(value):
        return ast.Name("INFINITY", ast.Load()) if value > 0 else ast.parse("(-INFINITY)", mode="eval").body
    return ast.parse(repr(value), mode="eval").body


def function_text(library: Library, module: Module, node: ast.FunctionDef, tables: set[str]) -> str:
    """One function in Cython."""
    body = Body(library, module, node)
    fresh = ast.parse(ast.unparse(node)).body[0]
    assert isinstance(fresh, ast.FunctionDef)
    for line, old in zip(ast.walk(fresh), ast.walk(node), strict=True):
        ast.copy_location(line, old)
    statements = [body.visit(one) for one in fresh.body]
    tables |= body.tables
    head = signature(library, module, node)
    held = makes_arrays(library, module, node)
    if held:  # what it makes is given back by the function of its own name, below
        head = head.replace(f" {node.name}(", f" held_{node.name}(", 1)
    lines = [f"# {module.path.name}:{node.lineno}", head + ":"]
    numbers = LocalTypes(library, module, node).declared()
    variables = {**numbers, **body.arrays}
    lines += [f"    cdef {kind} {name}" for name, kind in sorted(variables.items())]
    for one in statements:
        text = ast.unparse(ast.fix_missing_locations(one))
        lines += ["    " + line for line in text.splitlines()]
    names = ", ".join(arg.arg for arg in node.args.args)
    if held:
        back = c_type(library, module, ast.unparse(node.returns)) if node.returns is not None else "void"
        answer = "" if back == "void" else "found_by_it = "
        lines += ["", signature(library, module, node) + ":", "    cdef Mark before_it = mark()"]
        lines += [f"    cdef {back} found_by_it"] if answer else []
        lines += [f"    {answer}held_{node.name}({names})", "    release(before_it)"]
        lines += ["    return found_by_it"] if answer else []
    return "\n".join([*lines, "", *_for_python(library, module, node, names)]) + "\n"


def _for_python(library: Library, module: Module, node: ast.FunctionDef, names: str) -> list[str]:
    """The function that Python calls. Arrays that are returned to Python are NumPy's; all others go when it is done."""
    head = f"def for_python_{node.name}({arguments(library, module, node)}):"
    call = f"{node.name}({names})"
    assert node.returns is not None  # `signature` refuses functions that do not say
    if ast.unparse(node.returns) in ARRAYS:
        return [head, f"    return np.asarray({call})"]
    done = call if ast.unparse(node.returns) == "None" else f"return {call}"
    if returns_arrays(library, module, node) or not reaches_new_array(library, module, node):
        return [head, f"    {done}"]
    return [head, "    enter()", "    try:", f"        {done}", "    finally:", "        leave()"]


def class_head(library: Library, module: Module, name: str) -> str:
    """A named tuple as a class with C fields, for the .pxd."""
    lines = ["@cython.final", f"cdef class {name}:"]
    for field, annotation in module.fields(name):
        kind = c_type(library, module, annotation)
        lines.append(f"    cdef {'' if annotation in ARRAYS else 'readonly '}{kind} {field}")
    return "\n".join(lines) + "\n" + _maker_head(library, module, name) + "\n"


def _maker_head(library: Library, module: Module, name: str) -> str:
    given = ", ".join(f"{c_type(library, module, kind)} {field}" for field, kind in module.fields(name))
    return f"cdef {name} new_{name}({given})"


def class_text(library: Library, module: Module, name: str) -> str:
    """The class itself: created, read, copied with changes and unpacked like the named tuple."""
    fields = module.fields(name)
    given = ", ".join(f"{c_type(library, module, kind)} {field}" for field, kind in fields)
    lines = ["@cython.final", "@cython.freelist(16)", "@cython.no_gc", f"cdef class {name}:"]
    lines.append(f"    def __init__(self, {given}):")
    lines += [f"        self.{field} = {field}" for field, _ in fields]
    lines.append("    def __getattr__(self, name):")
    for field, kind in fields:
        if kind in ARRAYS:
            lines += [f"        if name == {field!r}:", f"            return np.asarray(self.{field})"]
    lines.append(f"        raise AttributeError(f'{name} has no field {{name}}')")
    values = ", ".join(f"{field!r}: getattr(self, {field!r})" for field, _ in fields)
    lines += ["    def _replace(self, **changes):", f"        return {name}(**{{**{{{values}}}, **changes}})"]
    tuple_text = ", ".join(f"getattr(self, {field!r})" for field, _ in fields)
    lines += ["    def __iter__(self):", f"        return iter(({tuple_text},))"]
    lines += [_maker_head(library, module, name) + ":", f"    cdef {name} made = {name}.__new__({name})"]
    lines += [f"    made.{field} = {field}" for field, _ in fields]
    return "\n".join([*lines, "    return made"]) + "\n"


def imports_text(library: Library, unit: Unit) -> str:
    """What a unit takes from other ones, as C declarations; constants need no import."""
    lines = set()
    for module in unit.modules:
        for here, (there, name) in module.imported.items():
            source, origin = library.modules[there], library.unit_of.get(there)
            if origin is None or (name not in source.functions and name not in source.classes):
                continue
            if origin is unit:
                if here != name:
                    raise BuildError(
                        f"{module.path}: {name} is joined with this module and needs no other name"
                    )
            elif name in source.functions:
                lines.add(f"from {origin.name} cimport {name} as {here}")
            else:
                lines.add(f"from {origin.name} cimport {name} as {here}, new_{name} as new_{here}")
    return "\n".join(sorted(lines)) + "\n"


def translated(library: Library, unit: Unit) -> tuple[str, str]:
    """The .pyx and the .pxd of a unit."""
    _refuse_clashes(unit)
    tables: dict[str, object] = {}
    functions: list[str] = []
    classes: list[str] = []
    heads: list[str] = []
    exported = library.exported(unit)
    for module in unit.modules:
        used: set[str] = set()
        functions += [function_text(library, module, node, used) for node in module.functions.values()]
        classes += [class_text(library, module, name) for name in module.classes]
        heads += [class_head(library, module, name) for name in module.classes]
        for name in used:
            if tables.setdefault(name, module.constants[name]) != module.constants[name]:
                raise BuildError(f"{module.path}: another module joined with this one has its own {name}")
    for module in unit.modules:
        heads += [
            signature(library, module, node) for name, node in module.functions.items() if name in exported
        ]
    imports = imports_text(library, unit) + scratch_imports(functions)
    constants = constants_text(unit.modules[0]) if len(unit.modules) == 1 else ""
    names = [name for module in unit.modules for name in module.functions]
    for_python = "globals().update({" + ", ".join(f"{one!r}: for_python_{one}" for one in names) + "})\n"
    pyx = "\n\n".join([PREAMBLE, imports, constants, tables_text(tables), *classes, *functions, for_python])
    pxd = "\n".join(["cimport cython", imports_text(library, unit), *heads, ""])
    return pyx, pxd


def scratch_imports(functions: list[str]) -> str:
    """What makes the new arrays of some functions."""
    text = "".join(functions)
    makers = [f"{how}_{kind}" for how in NEW_ARRAYS.values() for kind in ARRAYS]
    used = [name for name in makers if f"{name}(" in text]
    return f"from {SCRATCH} cimport {', '.join(used)}\n" if used else ""


def _refuse_clashes(unit: Unit) -> None:
    """Joined modules share one namespace."""
    seen: set[str] = set()
    for module in unit.modules:
        for name in (*module.functions, *module.classes):
            if name in seen:
                raise BuildError(f"{module.path}: another module joined with this one defines {name} too")
            seen.add(name)


def tables_text(tables: dict[str, object]) -> str:
    """Constants that are tuples, as C arrays."""
    rows = []
    for name, values in sorted(tables.items()):
        assert isinstance(values, tuple)
        kind = "double" if any(isinstance(one, float) for one in values) else "long long"
        rows.append(f"cdef {kind}[{len(values)}] table_{name}")
        rows += [f"table_{name}[{at}] = {one!r}" for at, one in enumerate(values)]
    return "\n".join(rows)


def constants_text(module: Module) -> str:
    """The constants that a module defines, for Python."""
    return "\n".join(
        f"{name} = {value!r}"
        for name, value in module.constants.items()
        if name not in module.imported and value not in (math.inf, -math.inf)
    )


def signpost(unit: Unit, module: Module) -> str:
    """A Python module in place of one that was joined with others: its names are found there."""
    names = ", ".join((*module.functions, *module.classes))
    return f"from {unit.name} import {names}\n\n{constants_text(module)}\n"
