"""Writes the module in which compiled functions make their arrays, for ahead_of_time.py.

Memory for arrays is taken from one piece and is free again when the function that made them is done: that costs next to
nothing, where an array of NumPy's costs a microsecond. Each thread has its own piece. Whatever Python may get to see is
NumPy's: outside of `enter` and `leave`, and so in functions that return arrays, every new array is.
"""

from __future__ import annotations

from cython_writer import ARRAYS, SIZES

SCRATCH_C = """\
    #include <stdlib.h>
    #include <string.h>
    typedef struct ScratchBlock { struct ScratchBlock *next; size_t room; } ScratchBlock;
    static __thread char *scratch_start;
    static __thread size_t scratch_used;
    static __thread ScratchBlock *scratch_extra;
    static __thread long scratch_depth;

    static void *scratch_take(size_t bytes) {
        const size_t room = (size_t)1 << 20;
        ScratchBlock *block;
        bytes = (bytes + 15) & ~(size_t)15;
        if (!scratch_start && !(scratch_start = (char *)malloc(room))) return NULL;
        if (bytes <= room - scratch_used) {
            scratch_used += bytes;
            return scratch_start + scratch_used - bytes;
        }
        if (!(block = (ScratchBlock *)malloc(sizeof(ScratchBlock) + bytes))) return NULL;
        block->next = scratch_extra;
        scratch_extra = block;
        return block + 1;
    }

    static void scratch_back_to(size_t used, void *extra) {
        scratch_used = used;
        while (scratch_extra != (ScratchBlock *)extra) {
            ScratchBlock *block = scratch_extra;
            scratch_extra = block->next;
            free(block);
        }
    }

    #define SCRATCH_1(view, start, a) \\
        ((view).data = (char *)(start), (view).shape[0] = (a))
    #define SCRATCH_2(view, start, a, b, size) \\
        (SCRATCH_1(view, start, a), (view).shape[1] = (b), (view).strides[0] = (b) * (size))
    #define SCRATCH_3(view, start, a, b, c, size) \\
        (SCRATCH_2(view, start, a, b, (c) * (size)), (view).shape[1] = (b), (view).shape[2] = (c), \\
         (view).strides[1] = (c) * (size))
"""
SCRATCH_HEAD = """\
ctypedef struct Mark:
    size_t used
    void* extra

cdef void enter() noexcept
cdef void leave() noexcept
cdef Mark mark() noexcept
cdef void release(Mark before) noexcept
"""
SCRATCH_TEXT = """\
from libc.string cimport memset
import numpy as np

cdef extern from *:
    \"\"\"
{c_text}    \"\"\"
    size_t scratch_used
    void* scratch_extra
    long scratch_depth
    void* scratch_take(size_t size)
    void scratch_back_to(size_t used, void* extra)

cdef void enter() noexcept:
    global scratch_depth
    scratch_depth += 1

cdef void leave() noexcept:
    global scratch_depth
    scratch_depth -= 1
    if scratch_depth == 0:
        scratch_back_to(0, NULL)

cdef Mark mark() noexcept:
    cdef Mark now
    now.used = scratch_used
    now.extra = scratch_extra
    return now

cdef void release(Mark before) noexcept:
    scratch_back_to(before.used, before.extra)
"""


def scratch_module() -> tuple[str, str]:
    """The .pyx and the .pxd of the module."""
    body, heads = [SCRATCH_TEXT.format(c_text=SCRATCH_C)], [SCRATCH_HEAD]
    for kind, view in ARRAYS.items():
        number = view.partition("[")[0]
        dtype, size = SIZES[number]
        names = "abc"[: view.count(",") + 1]
        given, sizes = ", ".join(f"Py_ssize_t {name}" for name in names), ", ".join(names)
        macro = f"SCRATCH_{len(names)}"
        more = f", {sizes}, {size}" if len(names) > 1 else f", {sizes}"
        types = f"{view} view, void* start, {given}" + (", Py_ssize_t size" if len(names) > 1 else "")
        heads += [
            f"cdef {view} new_{kind}({given})",
            f"cdef {view} zeroed_{kind}({given})",
            f"cdef {view} filled_{kind}({given}, {number} value)",
        ]
        body.append(f"""\
cdef extern from *:
    void {macro}_{kind} "{macro}"({types})

cdef {view} blank_{kind} = np.empty(({sizes.replace(names[0], "1").replace("b", "1").replace("c", "1")},), np.{dtype})

cdef {view} new_{kind}({given}):
    cdef {view} view = blank_{kind}
    cdef void* start
    if scratch_depth == 0:
        return np.empty(({sizes},), np.{dtype})
    start = scratch_take(<size_t>({" * ".join(names)}) * {size})
    if start == NULL:
        raise MemoryError
    {macro}_{kind}(view, start{more})
    return view

cdef {view} zeroed_{kind}({given}):
    cdef {view} view = new_{kind}({sizes})
    if {" * ".join(names)} > 0:
        memset(&view[{", ".join("0" for _ in names)}], 0, <size_t>({" * ".join(names)}) * {size})
    return view

cdef {view} filled_{kind}({given}, {number} value):
    cdef {view} view = new_{kind}({sizes})
    view[{", ".join(":" for _ in names)}] = value
    return view
""")
    return "\n".join(body), "\n".join(heads) + "\n"
