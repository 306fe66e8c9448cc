"""Checks the Python module with arrays of several kinds, on a runtime without a GPU: python_check.py FOLDER PROGRAM.

PROGRAM is the program of docs/use-the-winner.md.
"""
import array
import ctypes
import sys
import types

sys.path.insert(0, sys.argv[1])
import redsweep_tuned as tuned  # noqa: E402

checked = 0


def check(what, found, expected):
    global checked
    checked += 1
    if found != expected:
        sys.exit(f"python_check: {what}: {found!r} instead of {expected!r}")


def refused(what, kind, words, call):
    try:
        call()
    except kind as error:
        check(f"{what}: {error}", words in str(error), True)
    else:
        sys.exit(f"python_check: {what} was not refused")


library = ctypes.CDLL(tuned.__file__)
library.noted.restype = ctypes.c_uint64
LAUNCHES, STREAM, WAITS, ALLOCATED, DEVICE = range(5)
noted = library.noted


class Interface:
    """A contiguous array that offers __cuda_array_interface__."""

    def __init__(self, typestr, lengths, **more):
        size = 1
        for length in lengths:
            size *= length
        self.memory = array.array("B", bytes(8 * size + 8))
        self.memory[0] = 42
        self.__cuda_array_interface__ = {"shape": lengths, "typestr": typestr, "version": 3, "strides": None,
                                         "data": (self.memory.buffer_info()[0], False), **more}


def first_byte(result):
    return ctypes.c_uint8.from_address(result.__cuda_array_interface__["data"][0]).value


class Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("id", ctypes.c_int32)]


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", Device), ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8),
                ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


class Versioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p),
                ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("tensor", Tensor)]


ALLOCATE = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.POINTER(Tensor), ctypes.POINTER(ctypes.POINTER(Versioned)),
                             ctypes.c_void_p, ctypes.c_void_p)
IMPORT = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.POINTER(Versioned), ctypes.POINTER(ctypes.c_void_p))
VIEW = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(Tensor))
CURRENT = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p))
kept = []


class Native:
    """A tensor of a library that offers C functions (here through ctypes)."""
    requires_grad = False

    def __init__(self, code, bits, shape, device=(2, 0), strides=None):
        self.shape, self.code, self.bits, self.device = shape, code, bits, device
        self.lengths = (ctypes.c_int64 * 8)(*shape)
        self.strides = (ctypes.c_int64 * 8)(*strides) if strides else None
        self.memory = (ctypes.c_uint8 * 4096)(0, 7)


@ALLOCATE
def allocate(like, out, context, fail):
    made = Versioned(1, 3)
    made.tensor = like.contents
    memory = (ctypes.c_uint8 * 4096)()
    made.tensor.data = ctypes.addressof(memory)
    kept.extend([made, memory])
    out[0] = ctypes.pointer(made)
    return 0


@IMPORT
def take(tensor, out):
    t = tensor.contents.tensor
    made = Native(t.code, t.bits, tuple(t.shape[i] for i in range(t.ndim)), (t.device.type, t.device.id))
    made.first = ctypes.c_uint8.from_address(t.data).value
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(made))
    out[0] = id(made)
    return 0


@VIEW
def view(native, out):
    t = Tensor(ctypes.addressof(native.memory), Device(*native.device), len(native.shape), native.code, native.bits, 1)
    t.shape = ctypes.cast(native.lengths, ctypes.POINTER(ctypes.c_int64))
    if native.strides:
        t.strides = ctypes.cast(native.strides, ctypes.POINTER(ctypes.c_int64))
    t.byte_offset = 1 if native.bits == 8 else 0
    out[0] = t
    return 0


@CURRENT
def current(kind, device, stream):
    stream[0] = 77 + device
    return 0


class Exchange(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("older", ctypes.c_void_p),
                ("allocate", ALLOCATE), ("export", ctypes.c_void_p), ("take", IMPORT), ("view", VIEW),
                ("current", CURRENT)]


exchange = Exchange(1, 3, None, allocate, None, take, view, current)
new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype, new_capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
Native.__dlpack_c_exchange_api__ = new_capsule(ctypes.addressof(exchange), b"dlpack_exchange_api", None)

INT8, FLOAT32, UINT64 = (0, 8), (2, 32), (1, 64)

# For tensors of a library that offers functions in C, the module uses that library's stream, device
# and memory.
whole = tuned.sum(Native(*INT8, (3, 5)))
check("a sum of int8", (type(whole), whole.shape, whole.code, whole.bits, whole.first), (Native, (), 0, 32, 7))
check("its stream", noted(STREAM), 77)
check("argmax is of rows", tuned.argmax(Native(4, 16, (2, 3, 5)), -1).shape, (2, 3))
check("its type", tuned.argmax(Native(4, 16, (2, 3, 5)), 2).bits, 64)
check("max over the first axis", tuned.max(Native(*UINT64, (4, 3, 5)), 0).shape, (3, 5))
check("max over a middle one", tuned.max(Native(*UINT64, (4, 3, 5)), axis=-2).shape, (4, 5))
check("max over the last one", tuned.max(Native(*UINT64, (4, 3, 5), (2, 1)), axis=2).shape, (4, 3))
check("the stream of another device", noted(STREAM), 78)
check("the device is as before", noted(DEVICE), 0)
check("parts of a result", tuned.mean_var(Native(2, 64, (4, 3)), 1).shape, (4, 2))
check("two vectors", tuned.dot(Native(0, 32, (4, 3)), Native(0, 32, (4, 3)), 1).shape, (4,))
check("two vectors by name", tuned.dot(Native(0, 32, (4, 3)), axis=0, y=Native(0, 32, (4, 3))).shape, (3,))
check("another stream", (tuned.sum(Native(*INT8, (3,)), stream=5).first, noted(STREAM)), (7, 5))
check("one row is an array", tuned.sum(Native(*INT8, (1, 3)), 1).shape, (1,))
out = Native(0, 32, ())
check("out", (tuned.sum(Native(*INT8, (3,)), out=out) is out, out.memory[0]), (True, 7))
count = noted(LAUNCHES)
check("no results", (tuned.max(Native(*UINT64, (0, 3)), 1).shape, noted(LAUNCHES)), ((0,), count))
check("gaps where nothing lies", tuned.max(Native(*UINT64, (1, 3), strides=(17, 1)), 1).shape, (1,))
check("no gradients", tuned.sum.__doc__.startswith("sum along an axis"), True)

grad = Native(*INT8, (3,))
grad.requires_grad = True
refused("a gradient", ValueError, "x.detach()", lambda: tuned.sum(grad))
refused("a gap", ValueError, "contiguous", lambda: tuned.max(Native(*UINT64, (4, 3), strides=(4, 1)), 1))
refused("a transposed array", ValueError, "contiguous", lambda: tuned.max(Native(*UINT64, (4, 3), strides=(1, 4)), 1))
refused("the CPU", ValueError, "not on a GPU", lambda: tuned.sum(Native(*INT8, (3,), (1, 0))))
refused("a type", TypeError, "no function for float32 over all elements; it has redsweep_sum_i8",
        lambda: tuned.sum(Native(*FLOAT32, (3,))))
refused("an unknown type", TypeError, "no function", lambda: tuned.sum(Native(9, 8, (3,))))
refused("an axis that rows do not serve", TypeError, "an axis that is not the last", lambda: tuned.argmax(Native(4, 16, (2, 3)), 0))
refused("an axis", IndexError, "axis 2 does not exist in an array of 2 dimensions", lambda: tuned.max(Native(*UINT64, (4, 3)), 2))
refused("an axis below", IndexError, "axis -3", lambda: tuned.max(Native(*UINT64, (4, 3)), -3))
refused("an axis of no dimensions", IndexError, "axis 0", lambda: tuned.max(Native(*UINT64, ()), 0))
refused("two axes", TypeError, "an integer or None", lambda: tuned.max(Native(*UINT64, (4, 3)), (0, 1)))
refused("another shape of y", ValueError, "x's shape", lambda: tuned.dot(Native(0, 32, (4,)), Native(0, 32, (3,))))
refused("no y", TypeError, "y is missing", lambda: tuned.dot(Native(0, 32, (4,))))
refused("no x", TypeError, "x is missing", lambda: tuned.sum())
refused("a y too many", TypeError, "does not exist", lambda: tuned.sum(Native(*INT8, (3,)), y=1))
refused("a name", TypeError, "'dim'", lambda: tuned.sum(Native(*INT8, (3,)), dim=0))
refused("twice", TypeError, "'axis'", lambda: tuned.sum(Native(*INT8, (3,)), 0, axis=0))
refused("out by place", TypeError, "keywords", lambda: tuned.sum(Native(*INT8, (3,)), 0, out))
refused("out of another type", ValueError, "int32_t", lambda: tuned.sum(Native(*INT8, (3,)), out=Native(*INT8, ())))
refused("out of another shape", ValueError, "dimensions", lambda: tuned.sum(Native(*INT8, (3,)), out=Native(0, 32, (1,))))
refused("out on another GPU", ValueError, "same GPU",
        lambda: tuned.sum(Native(*INT8, (3,)), out=Native(0, 32, (), (2, 1))))
refused("no array", TypeError, "__dlpack__ or __cuda_array_interface__", lambda: tuned.sum([1, 2]))

# For an array with __cuda_array_interface__, the module uses the array's stream, and other
# libraries accept the result.
result = tuned.sum(Interface("|i1", (3, 5), stream=9))
interface = result.__cuda_array_interface__
check("a result", (interface["shape"], interface["typestr"], interface["stream"], result.shape), ((), "<i4", 9, ()))
check("its memory", (first_byte(result), noted(STREAM), noted(ALLOCATED)), (42, 9, noted(ALLOCATED)))
check("its device", result.__dlpack_device__(), (2, 1))
held = noted(ALLOCATED)
del result
check("it is freed", noted(ALLOCATED), held - 1)
check("the default stream", (tuned.sum(Interface("|i1", (3,), stream=None)).shape, noted(STREAM)), ((), 0))
before = noted(WAITS)
check("a stream of the caller's waits for the array's",
      (tuned.sum(Interface("|i1", (3,), stream=9), stream=8).shape, noted(STREAM), noted(WAITS)), ((), 8, before + 1))
result = tuned.max(Interface("<u8", (2, 3, 4)), 1)
check("over an axis", result.shape, (2, 4))
capsule = result.__dlpack__(stream=3)
check("a consumer's stream waits", noted(WAITS), before + 2)
check("a capsule", ctypes.pythonapi.PyCapsule_IsValid(ctypes.py_object(capsule), b"dltensor"), 1)


class Capsules:
    """An array that offers only DLPack. It is made from an earlier result."""

    def __init__(self, result):
        self.result = result

    def __dlpack__(self, *, stream=None):
        self.stream = stream
        return self.result.__dlpack__(stream=stream)


class Both(Capsules):
    """An array like JAX's, whose interface is version 2, which has no streams."""
    __cuda_array_interface__ = {"shape": (3,), "typestr": "|i1", "version": 2, "data": (0, False)}


class OldTensor(Capsules):
    """A tensor of an older PyTorch, which offers no C functions."""
    device = "cuda:1"


class Streams:
    @staticmethod
    def current_stream(device):
        check("the device that is asked for", device, "cuda:1")
        return type("Stream", (), {"cuda_stream": 55})


OldTensor.__module__ = "torch"
sys.modules["torch"], sys.modules["torch.cuda"] = type(sys)("torch"), Streams
check("PyTorch's current stream", (tuned.max(OldTensor(result), 0).shape, noted(STREAM)), ((4,), 55))
check("or the caller's", (tuned.max(OldTensor(result), 0, stream=4).shape, noted(STREAM)), ((4,), 4))
check("an interface that names no stream", tuned.max(Both(result), 0).shape, (4,))
class Host(Capsules):
    """An array like NumPy's, which is on the CPU and has no streams."""

    def __dlpack_device__(self):
        return (1, 0)

    def __dlpack__(self):
        raise AssertionError


refused("an array on the CPU", ValueError, "not on a GPU", lambda: tuned.max(Host(result), 0))
capsules = Capsules(result)
check("DLPack's method", (tuned.max(capsules, 0).shape, capsules.stream), ((4,), 1))
check("with the caller's stream", (tuned.max(capsules, 0, stream=6).shape, capsules.stream, noted(STREAM)), ((4,), 6, 6))
held = noted(ALLOCATED)
del capsule, capsules, result
check("capsules that nobody took free the result", noted(ALLOCATED), held - 1)

refused("a mask", ValueError, "masks", lambda: tuned.sum(Interface("|i1", (3,), mask=1)))
refused("bool", TypeError, "typestr '|b1'", lambda: tuned.sum(Interface("|b1", (3,))))
refused("big-endian", TypeError, "typestr '>i4'", lambda: tuned.sum(Interface(">i4", (3,))))
refused("complex", TypeError, "typestr", lambda: tuned.sum(Interface("<c8", (3,))))
refused("strides", ValueError, "contiguous", lambda: tuned.sum(Interface("|i1", (3, 3), strides=(1, 3))))
refused("broken strides", ValueError, "contiguous", lambda: tuned.max(Interface("<u8", (3,), strides=(7,)), 0))
refused("too few strides", ValueError, "strides", lambda: tuned.sum(Interface("|i1", (3, 3), strides=(1,))))
refused("no data", ValueError, "data", lambda: tuned.sum(Interface("|i1", (3,), data=None)))
refused("no shape", ValueError, "shape", lambda: tuned.sum(Interface("|i1", (3,), shape=None)))
refused("forty dimensions", ValueError, "at most 32", lambda: tuned.sum(Interface("|i1", (1,) * 40)))
refused("an address that is none", TypeError, "", lambda: tuned.sum(Interface("|i1", (3,), data=("x", False))))
check("contiguous strides", tuned.sum(Interface("|i1", (3, 3), strides=(3, 1))).shape, ())

for _ in range(10000):  # makes a leak show
    tuned.sum(Interface("|i1", (3, 5)))
check("nothing is left over", noted(ALLOCATED), held - 1)

# Runs the documentation's unchanged program with these tensors instead of PyTorch's. All elements
# are 7, and so is the invented sum. experiments/library/tuned_python.py adds the checks that need a
# GPU.
torch = types.ModuleType("torch")
torch.int32 = None
torch.randint = lambda low, high, size, *, dtype, device: Native(*INT8, size)
Native.item = lambda self: self.first
Native.sum = lambda self, *, dtype: types.SimpleNamespace(item=lambda: 7)
sys.modules["torch"] = torch
launches = noted(LAUNCHES)
exec(compile(open(sys.argv[2], encoding="utf-8").read(), sys.argv[2], "exec"), {})
check("the program on the page launches the library", noted(LAUNCHES) > launches, True)
print(f"{checked} checks")
