/* Launches self-checking PTX files on an NVIDIA card. It needs the driver, and nothing of the CUDA SDK:
 *
 *     cc -O1 -o launch launch.c -ldl
 *     ./launch FILE.ptx...             a TAP line for each file; exit code 1 if one is as neither reading
 *     ./launch --record FILE.ptx...    vop-record: JSON lines, the card first, then the verdict on each file
 *     ./launch                         reads names of files, one a line, and answers each with 8 hexadecimal digits:
 *                                      the protocol of vop conform --ptx
 *     -O0 ... -O4 before them          the optimization of the driver's compiler (4 unless given)
 */
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

enum { CU_JIT_OPTIMIZATION_LEVEL = 7, COMPUTE_MAJOR = 75, COMPUTE_MINOR = 76 };

static CUresult (*cuInit)(unsigned);
static CUresult (*cuDriverGetVersion)(int *);
static CUresult (*cuDeviceGet)(CUdevice *, int);
static CUresult (*cuDeviceGetName)(char *, int, CUdevice);
static CUresult (*cuDeviceGetAttribute)(int *, int, CUdevice);
static CUresult (*cuCtxCreate)(CUcontext *, unsigned, CUdevice);
static CUresult (*cuMemAlloc)(CUdeviceptr *, size_t);
static CUresult (*cuMemcpyHtoD)(CUdeviceptr, const void *, size_t);
static CUresult (*cuMemcpyDtoH)(void *, CUdeviceptr, size_t);
static CUresult (*cuModuleLoadDataEx)(CUmodule *, const void *, unsigned, int *, void **);
static CUresult (*cuModuleUnload)(CUmodule);
static CUresult (*cuModuleGetFunction)(CUfunction *, CUmodule, const char *);
static CUresult (*cuLaunchKernel)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
static CUresult (*cuCtxSynchronize)(void);

static const struct {
    const char *name;
    void **function;
} functions[] = {
    {"cuInit", (void **)&cuInit},
    {"cuDriverGetVersion", (void **)&cuDriverGetVersion},
    {"cuDeviceGet", (void **)&cuDeviceGet},
    {"cuDeviceGetName", (void **)&cuDeviceGetName},
    {"cuDeviceGetAttribute", (void **)&cuDeviceGetAttribute},
    {"cuCtxCreate_v2", (void **)&cuCtxCreate},
    {"cuMemAlloc_v2", (void **)&cuMemAlloc},
    {"cuMemcpyHtoD_v2", (void **)&cuMemcpyHtoD},
    {"cuMemcpyDtoH_v2", (void **)&cuMemcpyDtoH},
    {"cuModuleLoadDataEx", (void **)&cuModuleLoadDataEx},
    {"cuModuleUnload", (void **)&cuModuleUnload},
    {"cuModuleGetFunction", (void **)&cuModuleGetFunction},
    {"cuLaunchKernel", (void **)&cuLaunchKernel},
    {"cuCtxSynchronize", (void **)&cuCtxSynchronize},
};

static CUdeviceptr memory;
static uintptr_t level = 4;

static void fail(const char *what, CUresult code) {
    fprintf(stderr, "launch: %s: driver error %d\n", what, code);
    exit(2);
}

static void open_driver(CUdevice *device) {
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    CUcontext context;
    CUresult code;
    size_t i;
    if (driver == NULL) driver = dlopen("libcuda.so", RTLD_NOW);
    if (driver == NULL) {
        fprintf(stderr, "launch: no NVIDIA driver: %s\n", dlerror());
        exit(2);
    }
    for (i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        *functions[i].function = dlsym(driver, functions[i].name);
        if (*functions[i].function == NULL) {
            fprintf(stderr, "launch: the driver has no %s\n", functions[i].name);
            exit(2);
        }
    }
    if ((code = cuInit(0)) != 0) fail("cuInit", code);
    if ((code = cuDeviceGet(device, 0)) != 0) fail("cuDeviceGet", code);
    if ((code = cuCtxCreate(&context, 0, *device)) != 0) fail("cuCtxCreate", code);
    if ((code = cuMemAlloc(&memory, 20)) != 0) fail("cuMemAlloc", code);
}

static char *read_file(const char *name) {
    FILE *file = fopen(name, "rb");
    char *text = NULL;
    size_t size = 0, n = 1;
    if (file == NULL) return NULL;
    while (n > 0) {
        char *more = realloc(text, size + 65537);
        if (more == NULL) {
            free(text);
            fclose(file);
            return NULL;
        }
        text = more;
        n = fread(text + size, 1, 65536, file);
        size += n;
    }
    fclose(file);
    text[size] = 0;
    return text;
}

/* check launches a file. It returns 0 and the five words, or says what has failed. */
static int check(const char *name, uint32_t words[5], const char **failed, CUresult *code) {
    static const uint32_t unset[5] = {0, 0, 0, 0, 0};
    int options[1] = {CU_JIT_OPTIMIZATION_LEVEL};
    void *values[1];
    void *arguments[1];
    CUmodule module;
    CUfunction function;
    char *text = read_file(name);
    values[0] = (void *)level;
    arguments[0] = &memory;
    *code = 0;
    *failed = "the file cannot be read";
    if (text == NULL) return 1;
    *failed = "the driver does not compile it";
    *code = cuModuleLoadDataEx(&module, text, 1, options, values);
    free(text);
    if (*code != 0) return 1;
    *failed = "it cannot be launched";
    if ((*code = cuModuleGetFunction(&function, module, "selfcheck")) == 0 &&
        (*code = cuMemcpyHtoD(memory, unset, 20)) == 0 &&
        (*code = cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL)) == 0 &&
        (*code = cuCtxSynchronize()) == 0)
        *code = cuMemcpyDtoH(words, memory, 20);
    cuModuleUnload(module);
    return *code != 0;
}

static void print_json_string(const char *text) {
    putchar('"');
    for (; *text != 0; text++) {
        if (*text == '"' || *text == '\\') putchar('\\');
        if ((unsigned char)*text >= ' ') putchar(*text);
    }
    putchar('"');
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

int main(int argc, char **argv) {
    int record = 0, first = 1, neither = 0, i;
    CUdevice device;
    uint32_t words[5];
    const char *failed;
    CUresult code;

    for (; first < argc && argv[first][0] == '-'; first++) {
        if (strcmp(argv[first], "--record") == 0) record = 1;
        else if (argv[first][1] == 'O' && argv[first][2] >= '0' && argv[first][2] <= '4' && argv[first][3] == 0) level = (uintptr_t)(argv[first][2] - '0');
        else {
            fprintf(stderr, "usage: launch [-O0 ... -O4] [--record] [FILE.ptx...]\n");
            return 2;
        }
    }
    open_driver(&device);

    if (first == argc && !record) {
        static char line[4096];
        while (fgets(line, sizeof line, stdin) != NULL) {
            line[strcspn(line, "\r\n")] = 0;
            if (check(line, words, &failed, &code) != 0) printf("error: %s (driver error %d)\n", failed, code);
            else printf("%08x\n", words[0]);
            fflush(stdout);
        }
        return 0;
    }
    if (record) {
        char name[256] = "";
        int version = 0, major = 0, minor = 0;
        cuDeviceGetName(name, sizeof name, device);
        cuDriverGetVersion(&version);
        cuDeviceGetAttribute(&major, COMPUTE_MAJOR, device);
        cuDeviceGetAttribute(&minor, COMPUTE_MINOR, device);
        printf("{\"record\":\"vop-record\",\"version\":1,\"card\":");
        print_json_string(name);
        printf(",\"driver\":%d,\"compute\":\"%d.%d\",\"optimization\":%d}\n", version, major, minor, (int)level);
    } else {
        printf("TAP version 13\n1..%d\n", argc - first);
    }
    for (i = first; i < argc; i++) {
        int bad = check(argv[i], words, &failed, &code);
        if (record) {
            printf("{\"file\":");
            print_json_string(base_name(argv[i]));
            if (bad) printf(",\"error\":\"%s (driver error %d)\"}\n", failed, code);
            else printf(",\"verdict\":%u,\"vector\":%u,\"got\":\"%08x\",\"isa\":\"%08x\",\"hash\":\"%08x\"}\n", words[0], words[1], words[2], words[3], words[4]);
            continue;
        }
        if (bad) printf("not ok %d - %s # %s (driver error %d)\n", i - first + 1, argv[i], failed, code);
        else if (words[0] == 1) printf("ok %d - %s\n", i - first + 1, argv[i]);
        else if (words[0] == 2) printf("ok %d - %s # as compiled for sm_86\n", i - first + 1, argv[i]);
        else printf("not ok %d - %s # vector %u: got %08x, the manual gives %08x\n", i - first + 1, argv[i], words[1], words[2], words[3]);
        neither |= bad || (words[0] != 1 && words[0] != 2);
    }
    return neither;
}
