/*
 * `Array` is a result on a GPU, for libraries that do not allocate results themselves. It supports
 * DLPack and __cuda_array_interface__, so cupy.asarray(), jax.numpy.from_dlpack() and
 * torch.from_dlpack() accept it without a copy. Its memory comes from cudaMalloc(). Freeing waits
 * for the GPU, so queued work never loses its memory.
 */
#ifndef REDSWEEP_TUNED_PYTHON_ARRAY_H
#define REDSWEEP_TUNED_PYTHON_ARRAY_H

struct result {
    PyObject_HEAD struct dl_tensor tensor;
    cudaStream_t stream; /* the stream that writes the result */
    int64_t shape[MOST_DIMENSIONS + 1];
};

static PyObject *array_type;

static bool cuda_fine(cudaError_t error, const char *what)
{
    if (error != cudaSuccess)
        PyErr_Format(PyExc_RuntimeError, MODULE ": %s: %s", what, cudaGetErrorString(error));
    return error == cudaSuccess;
}

/*
 * Allocates (if the memory is NULL) or frees memory on a device. Works during stream capture too,
 * because neither operation becomes part of the graph.
 */
static cudaError_t memory_on(int device, void **memory, size_t bytes)
{
    enum cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    int before;
    cudaError_t error = cudaThreadExchangeStreamCaptureMode(&mode), restored = cudaSuccess;
    if (error != cudaSuccess)
        return error;
    if ((error = cudaGetDevice(&before)) == cudaSuccess &&
        (error = cudaSetDevice(device)) == cudaSuccess) {
        error = *memory ? cudaFree(*memory) : cudaMalloc(memory, bytes);
        restored = cudaSetDevice(before);
    }
    error = error == cudaSuccess ? restored : error;
    restored = cudaThreadExchangeStreamCaptureMode(&mode);
    return error == cudaSuccess ? restored : error;
}

static PyObject *array_new(struct dl_type type, int device, int ndim, const int64_t *shape,
                           cudaStream_t stream, void **memory)
{
    size_t bytes = type.bits / 8;
    struct result *r = PyObject_New(struct result, (PyTypeObject *)array_type);
    if (!r)
        return NULL;
    r->tensor = (struct dl_tensor){
        .device = {DL_CUDA, device}, .ndim = ndim, .type = type, .shape = r->shape};
    r->stream = stream;
    for (int i = 0; i < ndim; i++) {
        r->shape[i] = shape[i];
        bytes *= (size_t)shape[i];
    }
    *memory = NULL;
    if (bytes && !cuda_fine(memory_on(device, &r->tensor.data, bytes), "the result's memory")) {
        r->tensor.data = NULL;
        Py_DECREF(r);
        return NULL;
    }
    *memory = r->tensor.data;
    return (PyObject *)r;
}

static void array_dealloc(PyObject *self)
{
    struct result *r = (struct result *)self;
    PyTypeObject *type = Py_TYPE(self);
    if (r->tensor.data && memory_on(r->tensor.device.id, &r->tensor.data, 0) != cudaSuccess)
        /* The process is exiting, or a kernel has failed, which later calls report. */
        (void)cudaGetLastError();
    PyObject_Free(self);
    Py_DECREF((PyObject *)type);
}

static PyObject *array_shape(PyObject *self, void *unused)
{
    const struct result *r = (const struct result *)self;
    PyObject *shape = PyTuple_New(r->tensor.ndim);
    (void)unused;
    for (int i = 0; shape && i < r->tensor.ndim; i++) {
        PyObject *length = PyLong_FromLongLong(r->shape[i]);
        if (!length || PyTuple_SetItem(shape, i, length) != 0) {
            Py_DECREF(shape);
            return NULL;
        }
    }
    return shape;
}

/* Returns version 3 of the interface, with the stream to wait for; 1 is the default stream. */
static PyObject *array_interface(PyObject *self, void *unused)
{
    const struct result *r = (const struct result *)self;
    char type[8];
    snprintf(type, sizeof type, "<%c%d", "iuf"[r->tensor.type.code], r -> tensor.type.bits / 8);
    PyObject *shape = array_shape(self, unused);
    return shape ? Py_BuildValue("{s:N,s:s,s:(KO),s:O,s:K,s:i}", "shape", shape, "typestr", type,
                                 "data", (unsigned long long)(uintptr_t)r->tensor.data, Py_False,
                                 "strides", Py_None, "stream",
                                 r->stream ? (unsigned long long)(uintptr_t)r->stream : 1ull,
                                 "version", 3)
                 : NULL;
}

static PyObject *array_device(PyObject *self, PyObject *unused)
{
    (void)unused;
    return Py_BuildValue("(ii)", DL_CUDA, ((struct result *)self)->tensor.device.id);
}

/* Makes work queued on `later` from now on wait for the work on `earlier`. */
static bool follow(cudaStream_t later, cudaStream_t earlier)
{
    cudaEvent_t done;
    if (!cuda_fine(cudaEventCreateWithFlags(&done, cudaEventDisableTiming), "an event"))
        return false;
    bool ok = cuda_fine(cudaEventRecord(done, earlier), "the stream of an array") &&
              cuda_fine(cudaStreamWaitEvent(later, done, 0), "the stream to wait");
    return cuda_fine(cudaEventDestroy(done), "an event") && ok;
}

/*
 * Makes the consumer's stream wait for the result. In DLPack, 1 is the default stream, and -1 or
 * None means that no stream has to wait.
 */
static bool wait_for_result(const struct result *r, PyObject *consumer)
{
    const long long asked = consumer && consumer != Py_None ? PyLong_AsLongLong(consumer) : -1;
    const cudaStream_t stream = (cudaStream_t)(uintptr_t)asked;
    if (PyErr_Occurred())
        return false;
    return asked == -1 || stream == r->stream || (asked == 1 && !r->stream) ||
           follow(stream, r->stream);
}

static void managed_free(struct dl_managed *m)
{
    if (!Py_IsInitialized())
        return; /* the process is exiting */
    PyGILState_STATE state = PyGILState_Ensure();
    Py_DECREF((PyObject *)m->context);
    PyGILState_Release(state);
    free(m);
}

static void capsule_free(PyObject *capsule)
{
    if (!PyCapsule_IsValid(capsule, "dltensor")) /* a consumer has taken it */
        return;
    struct dl_managed *m = PyCapsule_GetPointer(capsule, "dltensor");
    m->deleter(m);
}

static PyObject *array_dlpack(PyObject *self, PyObject *positional, PyObject *named)
{
    struct result *r = (struct result *)self;
    PyObject *stream = named ? PyDict_GetItemString(named, "stream") : NULL;
    (void)positional;
    if (!wait_for_result(r, stream))
        return NULL;
    struct dl_managed *m = malloc(sizeof *m);
    if (!m)
        return PyErr_NoMemory();
    *m = (struct dl_managed){.tensor = r->tensor, .context = self, .deleter = managed_free};
    PyObject *capsule = PyCapsule_New(m, "dltensor", capsule_free);
    if (capsule)
        Py_INCREF(self);
    else
        free(m);
    return capsule;
}

static bool add_array_type(PyObject *module)
{
    static PyMethodDef methods[] = {{"__dlpack__", (PyCFunction)(void (*)(void))array_dlpack,
                                     METH_VARARGS | METH_KEYWORDS, NULL},
                                    {"__dlpack_device__", array_device, METH_NOARGS, NULL},
                                    {0}};
    static PyGetSetDef members[] = {{"shape", array_shape, NULL, NULL, NULL},
                                    {"__cuda_array_interface__", array_interface, NULL, NULL, NULL},
                                    {0}};
    static PyType_Slot slots[] = {
        {Py_tp_dealloc, array_dealloc}, {Py_tp_methods, methods}, {Py_tp_getset, members}, {0}};
    static PyType_Spec spec = {MODULE ".Array", sizeof(struct result), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    array_type = PyType_FromSpec(&spec);
    return array_type && PyModule_AddObjectRef(module, "Array", array_type) == 0;
}

#endif
