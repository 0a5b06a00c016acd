/* Serves package gpu: it does what requests on its standard input ask for with the driver's API, and answers on its standard
 * output. A request is a byte and its operands, an answer the driver's code and what the request asks for. Numbers are 8 bytes,
 * the least first; bytes and names have their length before them. It needs the driver, and nothing of the CUDA SDK. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The part of the driver API that is used; its names and types are stable. */
typedef int CUresult;
typedef int CUdevice;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef unsigned long long CUdeviceptr;

enum { CUDA_ERROR_NO_DEVICE = 100 };
enum { CU_JIT_ERROR_LOG_BUFFER = 5, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6, CU_JIT_OPTIMIZATION_LEVEL = 7 };

static CUresult (*cuInit)(unsigned);
static CUresult (*cuDeviceGet)(CUdevice *, int);
static CUresult (*cuDeviceGetName)(char *, int, CUdevice);
static CUresult (*cuCtxCreate)(CUcontext *, unsigned, CUdevice);
static CUresult (*cuMemAlloc)(CUdeviceptr *, size_t);
static CUresult (*cuMemFree)(CUdeviceptr);
static CUresult (*cuMemcpyHtoD)(CUdeviceptr, const void *, size_t);
static CUresult (*cuMemcpyDtoH)(void *, CUdeviceptr, size_t);
static CUresult (*cuModuleLoadDataEx)(CUmodule *, const void *, unsigned, int *, void **);
static CUresult (*cuModuleUnload)(CUmodule);
static CUresult (*cuModuleGetFunction)(CUfunction *, CUmodule, const char *);
static CUresult (*cuModuleGetGlobal)(CUdeviceptr *, size_t *, CUmodule, const char *);
static CUresult (*cuLaunchKernel)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
static CUresult (*cuCtxSynchronize)(void);

static const struct {
    const char *name;
    void **function;
} functions[] = {
    {"cuInit", (void **)&cuInit},
    {"cuDeviceGet", (void **)&cuDeviceGet},
    {"cuDeviceGetName", (void **)&cuDeviceGetName},
    {"cuCtxCreate_v2", (void **)&cuCtxCreate},
    {"cuMemAlloc_v2", (void **)&cuMemAlloc},
    {"cuMemFree_v2", (void **)&cuMemFree},
    {"cuMemcpyHtoD_v2", (void **)&cuMemcpyHtoD},
    {"cuMemcpyDtoH_v2", (void **)&cuMemcpyDtoH},
    {"cuModuleLoadDataEx", (void **)&cuModuleLoadDataEx},
    {"cuModuleUnload", (void **)&cuModuleUnload},
    {"cuModuleGetFunction", (void **)&cuModuleGetFunction},
    {"cuModuleGetGlobal_v2", (void **)&cuModuleGetGlobal},
    {"cuLaunchKernel", (void **)&cuLaunchKernel},
    {"cuCtxSynchronize", (void **)&cuCtxSynchronize},
};

static CUdevice device;
static CUmodule module;
static uintptr_t level = 4;

enum { FAILED = 2, NO_GPU = 3 }; /* exit codes */

static void end(int code, const char *what) {
    fprintf(stderr, "%s\n", what);
    exit(code);
}

static void fail(const char *what) { end(FAILED, what); }

static void open_driver(void) {
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    CUcontext context;
    CUresult code;
    size_t i;
    if (driver == NULL) end(NO_GPU, "there is no NVIDIA driver");
    for (i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        *functions[i].function = dlsym(driver, functions[i].name);
        if (*functions[i].function == NULL) fail(functions[i].name);
    }
    if ((code = cuInit(0)) == CUDA_ERROR_NO_DEVICE) end(NO_GPU, "the NVIDIA driver finds no GPU");
    if (code != 0) fail("the NVIDIA driver does not begin");
    if (cuDeviceGet(&device, 0) != 0 || cuCtxCreate(&context, 0, device) != 0) fail("the GPU cannot be opened");
}

/* Requests. */

static void *allocate(size_t size) {
    void *memory = malloc(size + 1);
    if (memory == NULL) fail("no memory");
    return memory;
}

static void read_bytes(void *to, size_t size) {
    if (fread(to, 1, size, stdin) != size) exit(0); /* whoever asks has gone */
}

static uint64_t read_number(void) {
    uint64_t n;
    read_bytes(&n, 8);
    return n;
}

/* read_block reads bytes with their length before them, and puts a zero behind them. */
static char *read_block(size_t *size) {
    char *block;
    *size = read_number();
    block = allocate(*size);
    read_bytes(block, *size);
    block[*size] = 0;
    return block;
}

/* Answers. */

static void answer_number(uint64_t n) { fwrite(&n, 8, 1, stdout); }

static void answer_block(const void *block, size_t size) {
    answer_number(size);
    fwrite(block, 1, size, stdout);
}

static void load(void) {
    static char log[4096];
    int options[] = {CU_JIT_OPTIMIZATION_LEVEL, CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[3];
    size_t size;
    char *text = read_block(&size);
    values[0] = (void *)level;
    values[1] = log;
    values[2] = (void *)(uintptr_t)sizeof log;
    log[0] = 0;
    if (module != NULL) cuModuleUnload(module);
    module = NULL;
    answer_number(cuModuleLoadDataEx(&module, text, 3, options, values));
    answer_block(log, strlen(log));
    free(text);
}

static void find_variable(void) {
    CUdeviceptr at = 0;
    size_t size = 0;
    char *name = read_block(&size);
    answer_number(cuModuleGetGlobal(&at, &size, module, name));
    answer_number(at);
    free(name);
}

static void launch(void) {
    CUfunction function;
    CUresult code;
    void *arguments[256];
    unsigned dims[6];
    size_t size, n, i;
    char *name = read_block(&size);
    for (i = 0; i < 6; i++) dims[i] = (unsigned)read_number();
    n = read_number();
    if (n > 256) fail("too many arguments");
    for (i = 0; i < n; i++) arguments[i] = read_block(&size);
    if ((code = cuModuleGetFunction(&function, module, name)) == 0 &&
        (code = cuLaunchKernel(function, dims[0], dims[1], dims[2], dims[3], dims[4], dims[5], 0, NULL, arguments, NULL)) == 0)
        code = cuCtxSynchronize();
    answer_number(code);
    for (i = 0; i < n; i++) free(arguments[i]);
    free(name);
}

static void serve(int request) {
    CUdeviceptr at = 0;
    size_t size;
    char *block;
    switch (request) {
    case 'O':
        level = read_number();
        answer_number(0);
        break;
    case 'M':
        load();
        break;
    case 'V':
        find_variable();
        break;
    case 'A':
        answer_number(cuMemAlloc(&at, read_number()));
        answer_number(at);
        break;
    case 'F':
        answer_number(cuMemFree(read_number()));
        break;
    case 'W':
        at = read_number();
        block = read_block(&size);
        answer_number(cuMemcpyHtoD(at, block, size));
        free(block);
        break;
    case 'R':
        at = read_number();
        size = read_number();
        block = allocate(size);
        memset(block, 0, size);
        answer_number(cuMemcpyDtoH(block, at, size));
        answer_block(block, size);
        free(block);
        break;
    case 'L':
        launch();
        break;
    default:
        fail("unknown request");
    }
    fflush(stdout);
}

int main(void) {
    char name[256] = "";
    int request;
    open_driver();
    cuDeviceGetName(name, sizeof name, device);
    answer_block(name, strlen(name));
    fflush(stdout);
    while ((request = getchar()) != EOF) serve(request);
    return 0;
}
