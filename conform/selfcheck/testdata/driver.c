/* A driver without a card: a "module" whose text is "verdict N" writes the verdict N when it is launched. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t memory[5];
static uint32_t verdict;

int cuInit(unsigned flags) { return (int)flags; }
int cuDriverGetVersion(int *version) { *version = 13000; return 0; }
int cuDeviceGet(int *device, int number) { *device = number; return 0; }
int cuDeviceGetName(char *name, int size, int device) { (void)device; snprintf(name, (size_t)size, "A \"card\""); return 0; }
int cuDeviceGetAttribute(int *value, int attribute, int device) { (void)device; *value = attribute == 75 ? 9 : 0; return 0; }
int cuCtxCreate_v2(void **context, unsigned flags, int device) { (void)flags; (void)device; *context = memory; return 0; }
int cuMemAlloc_v2(unsigned long long *pointer, size_t size) { *pointer = 4096; return size != sizeof memory; }
int cuMemcpyHtoD_v2(unsigned long long to, const void *from, size_t size) { memcpy(memory, from, size); return to != 4096; }
int cuMemcpyDtoH_v2(void *to, unsigned long long from, size_t size) { memcpy(to, memory, size); return from != 4096; }
int cuModuleLoadDataEx(void **module, const void *text, unsigned n, int *options, void **values) {
    if (n != 1 || options[0] != 7 || (uintptr_t)values[0] > 4) return 1;
    *module = memory;
    return sscanf(text, "verdict %u", &verdict) == 1 ? 0 : 218;
}
int cuModuleUnload(void *module) { (void)module; return 0; }
int cuModuleGetFunction(void **function, void *module, const char *name) { *function = module; return strcmp(name, "selfcheck") != 0; }
int cuLaunchKernel(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, void *stream, void **arguments, void **extra) {
    if (f == NULL || gx * gy * gz * bx * by * bz != 1 || shared != 0 || stream != NULL || extra != NULL) return 1;
    if (*(unsigned long long *)arguments[0] != 4096) return 1;
    memory[0] = verdict, memory[1] = 7, memory[2] = 0xaa, memory[3] = 0xbb, memory[4] = 0xcc;
    return 0;
}
int cuCtxSynchronize(void) { return 0; }
