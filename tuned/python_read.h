/*
 * Reads the caller's array: chooses the interface and the stream (see tuned/python.c), and reports
 * what is wrong with the array.
 */
#ifndef REDSWEEP_TUNED_PYTHON_READ_H
#define REDSWEEP_TUNED_PYTHON_READ_H

/* The caller's array. `owner` keeps the tensor's memory alive, or is NULL. */
struct array {
    struct dl_tensor tensor;
    const struct dl_exchange *exchange; /* NULL if the type has none */
    cudaStream_t stream;                /* valid if `has_stream` is true */
    bool has_stream;
    PyObject *owner;
    /* the interface's shape and strides */
    int64_t shape[MOST_DIMENSIONS], strides[MOST_DIMENSIONS];
};

static PyObject *names[5];
enum name { EXCHANGE, INTERFACE, DLPACK, REQUIRES_GRAD, NAMESPACE };
static const char *const name_texts[] = {"__dlpack_c_exchange_api__", "__cuda_array_interface__",
                                         "__dlpack__", "requires_grad", "__array_namespace__"};

/* Returns an attribute, or NULL without an exception if there is none. */
static PyObject *attribute(PyObject *object, enum name name)
{
    PyObject *found = PyObject_GetAttr(object, names[name]);
    if (!found)
        PyErr_Clear();
    return found;
}

/* Returns a type's C functions. Caches the last type that had any, and keeps it alive. */
static const struct dl_exchange *exchange_of(PyObject *type)
{
    static PyObject *known;
    static const struct dl_exchange *its;
    if (type == known)
        return its;
    PyObject *capsule = attribute(type, EXCHANGE);
    const struct dl_exchange *found = NULL;
    if (capsule && PyCapsule_IsValid(capsule, "dlpack_exchange_api"))
        found = PyCapsule_GetPointer(capsule, "dlpack_exchange_api");
    Py_XDECREF(capsule);
    while (found && found->major != DL_MAJOR)
        found = found->older;
    if (!found || !found->view)
        return NULL;
    Py_INCREF(type);
    Py_XDECREF(known);
    known = type;
    its = found;
    return its;
}

/*
 * Refuses tensors that require a gradient, as DLPack's methods do, because the result would not
 * have one.
 */
static bool refuse_gradient(PyObject *object)
{
    PyObject *wanted = attribute(object, REQUIRES_GRAD);
    bool is_wanted = wanted == Py_True;
    Py_XDECREF(wanted);
    if (is_wanted)
        PyErr_SetString(PyExc_ValueError,
                        MODULE ": x requires a gradient, which is not computed; pass x.detach()");
    return !is_wanted;
}

static bool read_exchange(PyObject *object, struct array *a)
{
    void *stream = NULL;
    if (!refuse_gradient(object) || a->exchange->view(object, &a->tensor) != 0)
        return false;
    if (a->tensor.device.type != DL_CUDA)
        return true;
    if (a->exchange->current_stream(a->tensor.device.type, a->tensor.device.id, &stream) != 0)
        return false;
    a->stream = stream;
    a->has_stream = true;
    return true;
}

/*
 * Finds PyTorch's current stream, for tensors whose type has no C functions. Returns 0, or sets an
 * exception and returns -1.
 */
static int torch_stream(PyObject *object, struct array *a)
{
    PyObject *torch = PyImport_ImportModule("torch.cuda"), *device = NULL, *current = NULL,
             *handle = NULL;
    if (torch && (device = PyObject_GetAttrString(object, "device")) &&
        (current = PyObject_CallMethod(torch, "current_stream", "O", device)))
        handle = PyObject_GetAttrString(current, "cuda_stream");
    if (handle) {
        a->stream = (cudaStream_t)PyLong_AsVoidPtr(handle);
        a->has_stream = true;
    }
    Py_XDECREF(handle);
    Py_XDECREF(current);
    Py_XDECREF(device);
    Py_XDECREF(torch);
    return PyErr_Occurred() ? -1 : 0;
}

/*
 * Reads which device the array is on, if it says so. CPU libraries have no streams and refuse a
 * stream argument.
 */
static bool read_place(PyObject *object, struct array *a)
{
    PyObject *place = PyObject_CallMethod(object, "__dlpack_device__", NULL), *type = NULL;
    if (place && PyTuple_Check(place) && PyTuple_Size(place) == 2)
        type = PyTuple_GetItem(place, 0);
    a->tensor.device.type = type ? (int32_t)PyLong_AsLong(type) : DL_CUDA;
    Py_XDECREF(place);
    PyErr_Clear();
    return a->tensor.device.type == DL_CUDA || a->tensor.device.type == DL_CUDA_MANAGED;
}

static bool read_dlpack(PyObject *object, struct array *a)
{
    if (!read_place(object, a))
        return true; /* array_fine() refuses it */
    /* In DLPack, 0 is no stream and 1 the default stream. */
    const unsigned long long stream =
        a->has_stream && a->stream ? (unsigned long long)(uintptr_t)a->stream : 1;
    PyObject *method = attribute(object, DLPACK), *none = PyTuple_New(0),
             *named = Py_BuildValue("{sK}", "stream", stream);
    a->owner = method && none && named ? PyObject_Call(method, none, named) : NULL;
    Py_XDECREF(method);
    Py_XDECREF(none);
    Py_XDECREF(named);
    if (!a->owner)
        return false;
    const struct dl_managed *managed = PyCapsule_GetPointer(a->owner, "dltensor");
    if (managed)
        a->tensor = managed->tensor;
    return managed != NULL;
}

/* Reads a tuple of numbers. Sets an exception and returns -1 on failure. */
static int read_numbers(PyObject *tuple, int64_t out[MOST_DIMENSIONS], const char *what)
{
    Py_ssize_t count = tuple && PyTuple_Check(tuple) ? PyTuple_Size(tuple) : -1;
    if (count < 0 || count > MOST_DIMENSIONS) {
        PyErr_Format(PyExc_ValueError,
                     MODULE ": __cuda_array_interface__: %s must be a tuple of at most %d numbers",
                     what, MOST_DIMENSIONS);
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        out[i] = PyLong_AsLongLong(PyTuple_GetItem(tuple, i));
        if (PyErr_Occurred())
            return -1;
    }
    return (int)count;
}

/* Converts a type such as "<f4" to DLPack's form. */
static bool read_typestr(PyObject *text, struct dl_type *out)
{
    const char *given = text && PyUnicode_Check(text) ? PyUnicode_AsUTF8AndSize(text, NULL) : "";
    if (!given)
        return false;
    int bytes = *given ? atoi(given + 2) : 0;
    const char *kinds = "iuf", *kind = *given && given[1] ? strchr(kinds, given[1]) : NULL;
    if (!kind || *given == '>' || bytes < 1 || bytes > 8) {
        PyErr_Format(
            PyExc_TypeError,
            MODULE ": __cuda_array_interface__: typestr %R is not a type that the library supports",
            text);
        return false;
    }
    *out = (struct dl_type){(uint8_t)(kind - kinds), (uint8_t)(8 * bytes), 1};
    return true;
}

static bool read_interface_layout(PyObject *interface, struct array *a)
{
    struct dl_tensor *t = &a->tensor;
    PyObject *strides = PyDict_GetItemString(interface, "strides"),
             *mask = PyDict_GetItemString(interface, "mask");
    if (mask && mask != Py_None) {
        PyErr_SetString(PyExc_ValueError,
                        MODULE ": __cuda_array_interface__: masks are not supported");
        return false;
    }
    t->shape = a->shape;
    t->ndim = read_numbers(PyDict_GetItemString(interface, "shape"), a->shape, "shape");
    if (t->ndim < 0 || !read_typestr(PyDict_GetItemString(interface, "typestr"), &t->type))
        return false;
    if (!strides || strides == Py_None)
        return true;
    t->strides = a->strides;
    if (read_numbers(strides, a->strides, "strides") != t->ndim) {
        if (!PyErr_Occurred())
            PyErr_SetString(
                PyExc_ValueError,
                MODULE ": __cuda_array_interface__: there must be as many strides as dimensions");
        return false;
    }
    for (int i = 0; i < t->ndim; i++) /* accepts only strides of whole elements */
        a->strides[i] =
            a->strides[i] % (t->type.bits / 8) ? -1 : a->strides[i] / (t->type.bits / 8);
    return true;
}

static bool read_interface(PyObject *interface, struct array *a)
{
    PyObject *data = PyDict_GetItemString(interface, "data"),
             *stream = PyDict_GetItemString(interface, "stream");
    struct cudaPointerAttributes where = {0};
    if (!data || !PyTuple_Check(data) || PyTuple_Size(data) != 2) {
        PyErr_SetString(PyExc_ValueError, MODULE
                        ": __cuda_array_interface__: data must be a pair (address, read-only)");
        return false;
    }
    a->tensor.data = PyLong_AsVoidPtr(PyTuple_GetItem(data, 0));
    if (PyErr_Occurred() || !read_interface_layout(interface, a))
        return false;
    if (stream && stream != Py_None) {
        const cudaStream_t its = (cudaStream_t)PyLong_AsVoidPtr(stream);
        if (PyErr_Occurred() || (a->has_stream && a->stream != its && !follow(a->stream, its)))
            return false;
        a->stream = a->has_stream ? a->stream : its;
        a->has_stream = true;
    }
    a->tensor.device.type = DL_CUDA;
    if (!a->tensor.data)
        return cuda_fine(cudaGetDevice(&a->tensor.device.id), "cudaGetDevice");
    if (!cuda_fine(cudaPointerGetAttributes(&where, a->tensor.data),
                   "the address of __cuda_array_interface__"))
        return false;
    a->tensor.device.id = where.device;
    return true;
}

/*
 * Fills *a, which already has the caller's stream, if any. The array stays valid until release().
 */
static bool read_array(PyObject *object, struct array *a)
{
    PyObject *type = (PyObject *)Py_TYPE(object), *module;
    a->exchange = exchange_of(type);
    if (a->exchange)
        return read_exchange(object, a);
    module = PyObject_GetAttrString(type, "__module__");
    const char *of = module && PyUnicode_Check(module) ? PyUnicode_AsUTF8AndSize(module, NULL) : "";
    bool is_torch = of && strcmp(of, "torch") == 0;
    Py_XDECREF(module);
    PyErr_Clear();
    if (is_torch && !a->has_stream && torch_stream(object, a) < 0)
        return false;
    PyObject *method = attribute(object, DLPACK);
    a->owner = is_torch ? NULL : attribute(object, INTERFACE);
    const bool has_interface = a->owner && PyDict_Check(a->owner);
    Py_XDECREF(method);
    if (has_interface && (!method || PyDict_GetItemString(a->owner, "stream")))
        return read_interface(a->owner, a);
    Py_XDECREF(a->owner);
    a->owner = NULL;
    if (method)
        return read_dlpack(object, a);
    PyErr_Format(PyExc_TypeError,
                 MODULE
                 ": the array must have __dlpack__ or __cuda_array_interface__, but %R has neither",
                 type);
    return false;
}

/* Returns whether an array can be used. Sets an exception if not. */
static bool array_fine(const struct array *a, const char *which)
{
    const struct dl_tensor *t = &a->tensor;
    int64_t expected = 1;
    bool contiguous = true, empty = false;
    if (t->device.type != DL_CUDA && t->device.type != DL_CUDA_MANAGED) {
        PyErr_Format(PyExc_ValueError,
                     MODULE
                     ": %s is not on a GPU that CUDA supports (its DLPack device type is %d)",
                     which, t->device.type);
        return false;
    }
    if (t->ndim > MOST_DIMENSIONS || t->type.lanes != 1) {
        PyErr_Format(PyExc_ValueError,
                     MODULE ": %s has %d dimensions and %d lanes, but at most %d dimensions and 1 "
                            "lane are supported",
                     which, t->ndim, t->type.lanes, MOST_DIMENSIONS);
        return false;
    }
    for (int i = t->ndim; i-- > 0;) {
        contiguous = contiguous && (!t->strides || t->shape[i] == 1 || t->strides[i] == expected);
        empty = empty || t->shape[i] == 0;
        expected *= t->shape[i];
    }
    if (contiguous || empty)
        return true;
    PyErr_Format(
        PyExc_ValueError,
        MODULE
        ": %s is not contiguous. Its elements must have no gaps, and those of the last dimension "
        "must be adjacent; pass a copy (x.contiguous(), cupy.ascontiguousarray(x))",
        which);
    return false;
}

static void *data_of(const struct array *a)
{
    return a->tensor.data ? (char *)a->tensor.data + a->tensor.byte_offset : NULL;
}

#endif
