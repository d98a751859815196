"""Arrays that count no references, for the insides of kernels.

Numba counts a reference to an array argument on entry to a function and again for each view, with a locked instruction of
some 20 cycles, which in a step of a few dozen nanoseconds is most of the time. Whoever calls a kernel holds its arrays until it
returns, so inside there is nothing to count.
"""

from __future__ import annotations

from typing import Any

from numba.core import cgutils, config, types
from numba.core.errors import TypingError
from numba.extending import intrinsic


def _borrowed(typingctx: Any, array: Any) -> Any:
    if not isinstance(array, types.Array):
        raise TypingError(f"borrowed takes an array, not {array}")

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        view = context.make_array(array)(context, builder, args[0])
        view.meminfo = cgutils.get_null_value(view.meminfo.type)  # counting on a null pointer does nothing
        view.parent = cgutils.get_null_value(view.parent.type)
        return view._getvalue()

    return array(array), codegen


def _itself(array: Any) -> Any:
    """The array itself."""
    return array


borrowed: Any = _itself if config.DISABLE_JIT else intrinsic(_borrowed)
"""``borrowed(array)``: the same array without its count of references, for as long as the kernel runs that was given it.

Use it once, at the top of a kernel that is called from Python, on its own arguments; never return or store the result.
"""
