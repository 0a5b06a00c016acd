/* A driver without a GPU. Its memory is that of the process. A module's text is the value of its variable "v", in which there is none
 * else. The kernel "add" adds a number to words: its parameters are their address, the number and how many there are. FAKE_CUINIT in the
 * environment is what cuInit returns. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t variable;

int cuInit(unsigned flags) { const char *code = getenv("FAKE_CUINIT"); return code != NULL ? atoi(code) : (int)flags; }
int cuDeviceGet(int *device, int number) { *device = number; return 0; }
int cuDeviceGetName(char *name, int size, int device) { (void)device; snprintf(name, (size_t)size, "No GPU"); return 0; }
int cuCtxCreate_v2(void **context, unsigned flags, int device) { (void)flags; (void)device; *context = &variable; return 0; }
int cuMemAlloc_v2(unsigned long long *at, size_t size) { *at = (uintptr_t)malloc(size); return 0; }
int cuMemFree_v2(unsigned long long at) { free((void *)(uintptr_t)at); return 0; }
int cuMemcpyHtoD_v2(unsigned long long to, const void *from, size_t size) { memcpy((void *)(uintptr_t)to, from, size); return 0; }
int cuMemcpyDtoH_v2(void *to, unsigned long long from, size_t size) { memcpy(to, (void *)(uintptr_t)from, size); return 0; }
int cuModuleUnload(void *module) { return module != &variable; }
int cuCtxSynchronize(void) { return 0; }

int cuModuleLoadDataEx(void **module, const void *text, unsigned n, int *options, void **values) {
    if (n != 3 || options[0] != 7 || (uintptr_t)values[0] > 4 || options[1] != 5 || options[2] != 6) return 1;
    *module = &variable;
    if (sscanf(text, "%u", &variable) == 1) return 0;
    snprintf(values[1], (size_t)values[2], "%s is no number", (const char *)text);
    return 218;
}

int cuModuleGetGlobal_v2(unsigned long long *at, size_t *size, void *module, const char *name) {
    if (module != &variable || strcmp(name, "v") != 0) return 500;
    *at = (uintptr_t)&variable, *size = 4;
    return 0;
}

int cuModuleGetFunction(void **function, void *module, const char *name) {
    *function = NULL;
    if (module != &variable) return 400;
    if (strcmp(name, "exit") == 0) exit(1);
    if (strcmp(name, "hang") == 0) for (;;);
    return strcmp(name, "add") == 0 ? 0 : 500;
}

int cuLaunchKernel(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, void *stream, void **arguments, void **extra) {
    uint32_t *words = *(uint32_t **)arguments[0], i;
    if (f != NULL || shared != 0 || stream != NULL || extra != NULL) return 1;
    if (gx * 100000 + gy * 10000 + gz * 1000 + bx * 100 + by * 10 + bz != 123456) return 1;
    for (i = 0; i < *(uint16_t *)arguments[2]; i++) words[i] += *(uint32_t *)arguments[1];
    return 0;
}
