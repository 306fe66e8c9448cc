/*
 * The library as a Python module, compiled and packaged by tuned/wheel.py. It has a function for
 * each of the library's operations, with the same name: sum(x, axis), max(x, axis), dot(x, y, axis)
 * and so on.
 *
 * x is a GPU array from any Python library. The module accesses it through the first of these
 * interfaces that it supports:
 *   - the C functions of its type (DLPack 1.3: PyTorch from 2.10 on). The result is a tensor of that
 *     library, and the stream is the library's current one. No Python code runs.
 *   - a __cuda_array_interface__ that names a stream. This stream is used (in CuPy, the current one).
 *   - __dlpack__. The stream is the one that the caller passes, or the default stream. For a tensor
 *     of an older PyTorch, it is PyTorch's current stream.
 *   - a __cuda_array_interface__ that names no stream. The default stream is used.
 * The result is an `Array` (python_array.h), unless x's own library converts it.
 *
 * Uses only the stable ABI of Python 3.10, so one file works with all later versions.
 */
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030A0000
#include <Python.h>

#include <stdio.h>

#include "tuned/dlpack.h"
#include "tuned/functions.h"

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#define MODULE TEXT(NAME(tuned))
#define JOIN_OF(a, b) a##b
#define JOIN(a, b) JOIN_OF(a, b)

/* BITS: log2 of the widest element, 64 bits, plus one */
enum { MOST_DIMENSIONS = 32, BITS = 7, OVER = 3 };

/* An operation. Its functions are indexed by type and by what they reduce. */
struct operation {
    PyMethodDef method;
    char name[32], help[256];
    bool pair;
    int parts; /* parts per result */
    const struct function *of[DL_CODES][BITS][OVER];
};
enum { MOST_OPERATIONS = 32 };
static struct operation operations[MOST_OPERATIONS];
static int operation_count;

/* A reduction's input: `length` elements for each of outer x inner results. */
struct extent {
    size_t outer, length, inner;
    int64_t shape[MOST_DIMENSIONS + 1]; /* the shape of the result */
    int ndim;
};

#include "tuned/python_array.h"

#include "tuned/python_read.h"

/* ---- Calls ----------------------------------------------------------------------------------- */

/* Sets the extent of a reduction along `axis`, or over all dimensions for None. */
static bool extent_of(const struct dl_tensor *t, PyObject *axis, int parts, struct extent *e)
{
    long at = -1;
    *e = (struct extent){.outer = 1, .length = 1, .inner = 1};
    if (axis && axis != Py_None) {
        if ((at = PyLong_AsLong(axis)) == -1 && PyErr_Occurred()) {
            PyErr_Format(PyExc_TypeError, MODULE ": axis must be an integer or None, not %R", axis);
            return false;
        }
        if (at < -t->ndim || at >= t->ndim) {
            PyErr_Format(PyExc_IndexError,
                         MODULE ": axis %ld does not exist in an array of %d dimensions", at,
                         t->ndim);
            return false;
        }
        at += at < 0 ? t->ndim : 0;
    }
    for (int i = 0; i < t->ndim; i++) {
        if (at < 0 || i == at) {
            e->length *= (size_t)t->shape[i];
            continue;
        }
        *(i < at ? &e->outer : &e->inner) *= (size_t)t->shape[i];
        e->shape[e->ndim++] = t->shape[i];
    }
    if (parts > 1)
        e->shape[e->ndim++] = parts;
    return true;
}

static int log2_of(unsigned bits)
{
    int log2 = 0;
    while (bits > 1 && bits % 2 == 0) {
        bits /= 2;
        log2++;
    }
    return bits == 1 && log2 < BITS ? log2 : 0; /* no type has one bit */
}

static void no_function(const struct operation *op, const struct dl_type *type,
                        const struct extent *e)
{
    static const char *const kinds[] = {"int", "uint", "float", "?", "bfloat"};
    char has[512];
    int length = 0;
    for (int i = 0; i < FUNCTIONS && length < (int)sizeof has - 80; i++)
        if (strcmp(functions[i].op, op->name) == 0)
            length += snprintf(has + length, sizeof has - (size_t)length, " %s", functions[i].name);
    if (length == 0)
        snprintf(has, sizeof has, " exact ones");
    PyErr_Format(PyExc_TypeError,
                 MODULE ".%s: the library has no function for %s%d over %s; it has%s", op->name,
                 type->code < DL_CODES ? kinds[type->code] : "type ", type->bits,
                 e->inner > 1   ? "an axis that is not the last"
                 : e->outer > 1 ? "the last axis"
                                : "all elements",
                 has);
}

/*
 * Finds the function, treating a single row as an array. Sets an exception and returns NULL if the
 * library has no such function.
 */
static const struct function *find_function(const struct operation *op, const struct dl_type *type,
                                            const struct extent *e)
{
    const struct function *found = NULL;
    if (type->code < DL_CODES) {
        const struct function *const *of = op->of[type->code][log2_of(type->bits)];
        found = e->outer == 1 && e->inner == 1 ? of[ARRAY] : NULL;
        found = found || e->inner != 1 ? found : of[ROWS];
        found = found ? found : of[AXIS];
    }
    if (!found)
        no_function(op, type, e);
    return found;
}

static struct dl_type result_type(const struct function *f)
{
    const uint8_t code = f->result_type[0] == 'u'   ? DL_UINT
                         : f->result_type[0] == 'i' ? DL_INT
                                                    : DL_FLOAT;
    return (struct dl_type){code, (uint8_t)(8 * f->result_bytes), 1};
}

/* Calls the function on the tensor's device. */
static bool launch_on(const struct function *f, const struct array *x, const void *second,
                      const struct extent *e, void *output)
{
    int before, status = CODE(SUCCESS);
    cudaError_t error = cudaGetDevice(&before), restored = cudaSuccess;
    const bool other =
        error == cudaSuccess && before != x->tensor.device.id && x->tensor.device.type == DL_CUDA;
    if (other)
        error = cudaSetDevice(x->tensor.device.id);
    if (error == cudaSuccess) {
        PyThreadState *state = PyEval_SaveThread();
        status = f->call(data_of(x), second, e->outer, e->length, e->inner, output,
                         x->has_stream ? x->stream : NULL);
        PyEval_RestoreThread(state);
    }
    if (other)
        restored = cudaSetDevice(before);
    if (!cuda_fine(error, "the device") || !cuda_fine(restored, "the device before"))
        return false;
    if (status == CODE(SUCCESS))
        return true;
    PyErr_Format(PyExc_RuntimeError, "%s: %s%s%s", f->name, NAME(error_text)((NAME(status))status),
                 status == CODE(ERROR_CUDA) ? ": " : "",
                 status == CODE(ERROR_CUDA) ? cudaGetErrorString(NAME(cuda_error)()) : "");
    return false;
}

static void allocation_failed(void *context, const char *kind, const char *message)
{
    (void)context;
    PyErr_Format(PyExc_RuntimeError, MODULE ": the result's memory: %s: %s", kind, message);
}

/* Calls the function and returns the result as a tensor allocated by x's own library. */
static PyObject *call_exchange(const struct function *f, const struct array *x, const void *second,
                               struct extent *e)
{
    struct dl_tensor like = {
        .device = x->tensor.device, .ndim = e->ndim, .type = result_type(f), .shape = e->shape};
    struct dl_versioned *out = NULL;
    void *object = NULL;
    if (x->exchange->allocate(&like, &out, NULL, allocation_failed) != 0)
        return NULL;
    if (!launch_on(f, x, second, e, (char *)out->tensor.data + out->tensor.byte_offset)) {
        out->deleter(out);
        return NULL;
    }
    return x->exchange->import(out, &object) == 0 ? object : NULL;
}

/* Converts the array to one of x's own library, or returns it unchanged if that is not possible. */
static PyObject *as_of(PyObject *x, PyObject *array)
{
    PyObject *space = attribute(x, NAMESPACE), *made = NULL;
    PyObject *library = space ? PyObject_CallNoArgs(space) : NULL;
    PyErr_Clear();
    if (!library) {
        PyObject *name = PyObject_GetAttrString((PyObject *)Py_TYPE(x), "__module__");
        const char *dotted =
            name && PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
        char root[64];
        if (dotted && snprintf(root, sizeof root, "%.*s", (int)strcspn(dotted, "."), dotted) <
                          (int)sizeof root)
            library = PyDict_GetItemString(PyImport_GetModuleDict(), root);
        Py_XINCREF(library);
        Py_XDECREF(name);
    }
    if (library)
        made = PyObject_CallMethod(library, "from_dlpack", "O", array);
    PyErr_Clear();
    Py_XDECREF(library);
    Py_XDECREF(space);
    if (!made)
        return array;
    Py_DECREF(array);
    return made;
}

static PyObject *call_array(const struct function *f, PyObject *object, const struct array *x,
                            const void *second, struct extent *e)
{
    void *memory;
    PyObject *out = array_new(result_type(f), x->tensor.device.id, e->ndim, e->shape,
                              x->has_stream ? x->stream : NULL, &memory);
    if (out && !launch_on(f, x, second, e, memory)) {
        Py_DECREF(out);
        return NULL;
    }
    return out ? as_of(object, out) : NULL;
}

/* Calls the function with `into` as its output, and returns `into`. */
static PyObject *call_into(const struct function *f, const struct array *x, const void *second,
                           const struct extent *e, PyObject *into)
{
    struct array out = {.stream = x->stream, .has_stream = x->has_stream};
    const struct dl_type type = result_type(f);
    bool ok = read_array(into, &out) && array_fine(&out, "out");
    if (ok && (out.tensor.type.code != type.code || out.tensor.type.bits != type.bits ||
               out.tensor.ndim != e->ndim ||
               memcmp(out.tensor.shape, e->shape, (size_t)e->ndim * sizeof *e->shape) != 0)) {
        PyErr_Format(
            PyExc_ValueError,
            "%s: out must have %d dimensions (those of x without the axis) and elements of type %s",
            f->name, e->ndim, f->result_type);
        ok = false;
    }
    if (ok && out.tensor.device.id != x->tensor.device.id) {
        PyErr_Format(PyExc_ValueError, "%s: out must be on the same GPU as x", f->name);
        ok = false;
    }
    ok = ok && launch_on(f, x, second, e, data_of(&out));
    Py_XDECREF(out.owner);
    Py_XINCREF(ok ? into : NULL);
    return ok ? into : NULL;
}

/* ---- The Python functions -------------------------------------------------------------------- */

struct arguments {
    PyObject *x, *y, *axis, *out, *stream;
};

/* Reads the arguments. Positional ones are x, y if the function takes a pair, and axis. */
static bool read_arguments(const struct operation *op, PyObject *const *given, Py_ssize_t count,
                           PyObject *keywords, struct arguments *a)
{
    static const char *const keys[] = {"x", "y", "axis", "out", "stream"};
    PyObject **to[] = {&a->x, &a->y, &a->axis, &a->out, &a->stream};
    Py_ssize_t place = 0, named = keywords ? PyTuple_Size(keywords) : 0;
    for (Py_ssize_t i = 0; i < count; i++, place++) {
        place += place == 1 && !op->pair;
        if (place > 2) {
            PyErr_Format(PyExc_TypeError,
                         MODULE ".%s: out and stream must be passed as keywords, as in out=array",
                         op->name);
            return false;
        }
        *to[place] = given[i];
    }
    for (Py_ssize_t i = 0; i < named; i++) {
        PyObject *key = PyTuple_GetItem(keywords, i);
        int k = 0;
        while (k < 5 &&
               (PyUnicode_CompareWithASCIIString(key, keys[k]) != 0 || (k == 1 && !op->pair)))
            k++;
        if (k == 5 || *to[k]) {
            PyErr_Format(PyExc_TypeError,
                         MODULE ".%s: the argument %R does not exist or is given twice", op->name,
                         key);
            return false;
        }
        *to[k] = given[count + i];
    }
    if (!a->x || (op->pair && !a->y)) {
        PyErr_Format(PyExc_TypeError, MODULE ".%s: %s is missing", op->name, a->x ? "y" : "x");
        return false;
    }
    return true;
}

/* Reads the second vector, which must have the shape, type and device of the first. */
static bool read_second(PyObject *object, const struct array *x, struct array *y)
{
    const struct dl_tensor *a = &x->tensor, *b = &y->tensor;
    if (!read_array(object, y) || !array_fine(y, "y"))
        return false;
    if (a->ndim == b->ndim && memcmp(a->shape, b->shape, (size_t)a->ndim * sizeof *a->shape) == 0 &&
        a->type.code == b->type.code && a->type.bits == b->type.bits &&
        a->device.id == b->device.id)
        return true;
    PyErr_SetString(PyExc_ValueError,
                    MODULE ": y must have x's shape and type, and be on the same GPU");
    return false;
}

static PyObject *reduce_arrays(const struct operation *op, const struct arguments *a,
                               struct array *x, struct array *y)
{
    struct extent e;
    if (a->stream && a->stream != Py_None) {
        x->stream = (cudaStream_t)PyLong_AsVoidPtr(a->stream);
        if (PyErr_Occurred())
            return NULL;
        x->has_stream = true;
    }
    const cudaStream_t wanted = x->stream;
    const bool named = x->has_stream;
    if (!read_array(a->x, x) || !array_fine(x, "x") ||
        !extent_of(&x->tensor, a->axis, op->parts, &e))
        return NULL;
    x->stream = named ? wanted : x->stream;
    y->stream = x->stream;
    y->has_stream = x->has_stream;
    if (op->pair && !read_second(a->y, x, y))
        return NULL;
    const struct function *f = find_function(op, &x->tensor.type, &e);
    if (!f)
        return NULL;
    const void *second = op->pair ? data_of(y) : NULL;
    if (a->out && a->out != Py_None)
        return call_into(f, x, second, &e, a->out);
    return x->exchange ? call_exchange(f, x, second, &e) : call_array(f, a->x, x, second, &e);
}

static PyObject *call(PyObject *self, PyObject *const *given, Py_ssize_t count, PyObject *keywords)
{
    const struct operation *op = PyCapsule_GetPointer(self, NULL);
    struct arguments a = {0};
    struct array x, y;
    x.owner = y.owner = NULL;
    x.has_stream = y.has_stream = false;
    x.stream = y.stream = NULL;
    x.tensor = y.tensor = (struct dl_tensor){0};
    if (!op || !read_arguments(op, given, count, keywords, &a))
        return NULL;
    PyObject *result = reduce_arrays(op, &a, &x, &y);
    Py_XDECREF(x.owner);
    Py_XDECREF(y.owner);
    return result;
}

/* ---- The module ------------------------------------------------------------------------------ */

/* Returns the DLPack type for a name such as "bfloat16". */
static struct dl_type type_named(const char *name)
{
    const uint8_t code = *name == 'b'   ? DL_BFLOAT
                         : *name == 'f' ? DL_FLOAT
                         : *name == 'u' ? DL_UINT
                                        : DL_INT;
    return (struct dl_type){code, (uint8_t)atoi(name + strcspn(name, "0123456789")), 1};
}

static struct operation *operation_named(const char *name, bool pair)
{
    for (int i = 0; i < operation_count; i++)
        if (strcmp(operations[i].name, name) == 0)
            return &operations[i];
    if (operation_count == MOST_OPERATIONS)
        return NULL;
    struct operation *op = &operations[operation_count++];
    snprintf(op->name, sizeof op->name, "%s", name);
    op->pair = pair;
    op->parts = strcmp(name, "mean_var") == 0 ? 2 : 1;
    snprintf(op->help, sizeof op->help,
             "%s(x, %saxis=None, *, out=None, stream=None)\n--\n\n%s along an axis, or of all "
             "elements; %s.",
             name, pair ? "y, " : "", name, "of arrays on a GPU, queued on their current stream");
    op->method = (PyMethodDef){op->name, (PyCFunction)(void (*)(void))call,
                               METH_FASTCALL | METH_KEYWORDS, op->help};
    return op;
}

static void collect_operations(void)
{
    operation_count = 0;
    for (int i = 0; i < FUNCTIONS; i++) {
        const struct function *f = &functions[i];
        const struct dl_type type = type_named(f->type);
        const size_t length = strlen(f->name), tail = strlen("_exact");
        const bool exact = length > tail && strcmp(f->name + length - tail, "_exact") == 0;
        char name[32];
        snprintf(name, sizeof name, "%s%s", f->op, exact ? "_exact" : "");
        struct operation *op = operation_named(name, f->pair);
        if (op)
            op->of[type.code][log2_of(type.bits)][f->over] = f;
    }
}

static bool add_operation(PyObject *module, struct operation *op)
{
    PyObject *self = PyCapsule_New(op, NULL, NULL), *name = PyUnicode_FromString(MODULE),
             *function = NULL;
    if (self && name)
        function = PyCFunction_NewEx(&op->method, self, name);
    Py_XDECREF(self);
    Py_XDECREF(name);
    bool ok = function && PyModule_AddObjectRef(module, op->name, function) == 0;
    Py_XDECREF(function);
    return ok;
}

PyMODINIT_FUNC JOIN(PyInit_, NAME(tuned))(void)
{
    static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                                            MODULE,
                                            "Reductions on a GPU, chosen by measurement.",
                                            -1,
                                            NULL,
                                            NULL,
                                            NULL,
                                            NULL,
                                            NULL};
    PyObject *module = PyModule_Create(&definition);
    bool ok = module && add_array_type(module);
    for (int i = 0; ok && i < (int)(sizeof names / sizeof *names); i++)
        ok = (names[i] = PyUnicode_InternFromString(name_texts[i])) != NULL;
    collect_operations();
    for (int i = 0; ok && i < operation_count; i++)
        ok = add_operation(module, &operations[i]);
    if (ok)
        return module;
    Py_XDECREF(module);
    return NULL;
}
