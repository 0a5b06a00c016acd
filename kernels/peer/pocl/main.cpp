// The kernels of vop's benchmarks as OpenCL C, executed by pocl, which compiles them for this machine's processor. A kernel is built in two ways:
//
//   3  with helper functions for the video instructions
//   4  with OpenCL's functions on vectors of four bytes for them
//
//	peer-pocl
//
// writes which pocl this is, and what its device; it exits with status 3 if there is none.
//
//	peer-pocl KERNEL FILE...
//
// builds the kernel of the files, which are one text. It reads a launch, and then commands, of which serve.h tells. The words of the launch are the grid
// and the block, and for each argument its kind and:
//
//   0  a number
//   1  a buffer that is read: how many words it has, and the words
//   2  a buffer with results: how many words it has
//   3  a picture of bytes: its width, its height, and the words
#define CL_TARGET_OPENCL_VERSION 120
#include "../cpp/serve.h"

#include <CL/cl.h>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

using std::string;

namespace {
enum { Helpers = 3, BuiltIns = 4 };
enum { Number, Input, Result, Picture };

[[noreturn]] void fail(const char *what, cl_int code, const string &more = "") {
  fprintf(stderr, "%s: OpenCL error %d\n%s", what, code, more.c_str());
  exit(1);
}

void check(cl_int code, const char *what) {
  if (code != CL_SUCCESS)
    fail(what, code);
}

// text is what one of OpenCL's functions has to say on a property.
template <class F> string text(F f) {
  size_t n = 0;
  check(f(0, nullptr, &n), "size of a text");
  string s(n, 0);
  check(f(n, &s[0], nullptr), "text");
  return s.c_str(); // without the zero at its end
}

string platformText(cl_platform_id p, cl_platform_info what) {
  return text([&](size_t n, char *to, size_t *size) { return clGetPlatformInfo(p, what, n, to, size); });
}

string deviceText(cl_device_id d, cl_device_info what) {
  return text([&](size_t n, char *to, size_t *size) { return clGetDeviceInfo(d, what, n, to, size); });
}

// find finds pocl, and its device for the processor.
bool find(cl_platform_id &platform, cl_device_id &device) {
  cl_uint n = 0;
  if (clGetPlatformIDs(0, nullptr, &n) != CL_SUCCESS || n == 0)
    return false;
  vector<cl_platform_id> platforms(n);
  check(clGetPlatformIDs(n, platforms.data(), nullptr), "platforms");
  for (cl_platform_id p : platforms)
    if (platformText(p, CL_PLATFORM_NAME) == "Portable Computing Language" &&
        clGetDeviceIDs(p, CL_DEVICE_TYPE_CPU, 1, &device, nullptr) == CL_SUCCESS) {
      platform = p;
      return true;
    }
  return false;
}

class Program : public Served {
  struct Results {
    cl_mem memory;
    size_t size; // bytes
  };
  struct Way {
    cl_kernel kernel = nullptr;
    bool launched = false;
  };

  const char *name;
  string source;
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
  Way ways[2];             // with helpers, with built-ins
  size_t block[3], all[3]; // threads
  vector<vector<Byte>> arguments;
  vector<Results> written;

  template <class T> void argue(T value) {
    const Byte *from = (const Byte *)&value;
    arguments.emplace_back(from, from + sizeof value);
  }

  cl_mem buffer(cl_mem_flags flags, size_t size, const Word *from) {
    cl_int code;
    cl_mem m = clCreateBuffer(context, flags, size, (void *)from, &code);
    check(code, "buffer");
    return m;
  }

  cl_mem picture(size_t width, size_t height) {
    const cl_image_format format = {CL_R, CL_UNSIGNED_INT8};
    cl_image_desc shape = {};
    shape.image_type = CL_MEM_OBJECT_IMAGE2D;
    shape.image_width = width, shape.image_height = height;
    cl_int code;
    cl_mem m = clCreateImage(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &shape, (void *)words(width * height / 4), &code);
    check(code, "image");
    return m;
  }

  void readArgument() {
    switch (number()) {
    case Number:
      return argue(number());
    case Input: {
      size_t n = number();
      return argue(buffer(CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, 4 * n, words(n)));
    }
    case Result: {
      size_t size = 4 * (size_t)number();
      written.push_back({buffer(CL_MEM_READ_WRITE, size, nullptr), size});
      return argue(written.back().memory);
    }
    case Picture: {
      size_t width = number(), height = number();
      return argue(picture(width, height));
    }
    }
    fail("kind of an argument", 0);
  }

  cl_kernel build(Word way) {
    cl_int code;
    const char *text = source.c_str();
    cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &code);
    check(code, "program");
    string options = "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt";
    if (way == BuiltIns)
      options += " -D BUILT_INS";
    code = clBuildProgram(program, 1, &device, options.c_str(), nullptr, nullptr);
    if (code != CL_SUCCESS)
      fail("build", code, ::text([&](size_t n, char *to, size_t *size) {
             return clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, n, to, size);
           }));
    cl_kernel kernel = clCreateKernel(program, name, &code);
    check(code, "kernel");
    for (size_t i = 0; i < arguments.size(); i++)
      check(clSetKernelArg(kernel, i, arguments[i].size(), arguments[i].data()), "argument");
    return kernel;
  }

public:
  Program(const char *name, const string &source, cl_platform_id platform, cl_device_id device) : name(name), source(source), device(device) {
    cl_int code;
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0};
    context = clCreateContext(properties, 1, &device, nullptr, nullptr, &code);
    check(code, "context");
    queue = clCreateCommandQueue(context, device, 0, &code);
    check(code, "queue");
    for (size_t &n : all)
      n = number();
    for (int i = 0; i < 3; i++) {
      block[i] = number();
      all[i] *= block[i];
    }
    while (inputLeft())
      readArgument();
  }

  // ready builds the kernel. pocl makes machine code for blocks of a shape only when they are first launched.
  bool ready(Word way, bool timed) override {
    Way &w = ways[way - Helpers];
    if (!w.kernel)
      w.kernel = build(way);
    if (timed && !w.launched)
      run(way);
    return true;
  }

  void clear() override {
    const Word zero = 0;
    for (const Results &r : written)
      check(clEnqueueFillBuffer(queue, r.memory, &zero, sizeof zero, 0, r.size, 0, nullptr, nullptr), "fill");
    check(clFinish(queue), "fill");
  }

  void run(Word way) override {
    Way &w = ways[way - Helpers];
    check(clEnqueueNDRangeKernel(queue, w.kernel, 3, nullptr, all, block, 0, nullptr, nullptr), "launch");
    check(clFinish(queue), "launch");
    w.launched = true;
  }

  vector<Word> results() override {
    vector<Word> words;
    for (const Results &r : written) {
      size_t at = words.size();
      words.resize(at + r.size / 4);
      check(clEnqueueReadBuffer(queue, r.memory, CL_TRUE, 0, r.size, &words[at], 0, nullptr, nullptr), "read");
    }
    return words;
  }
};
} // namespace

int main(int count, char **arguments) {
  cl_platform_id platform;
  cl_device_id device;
  if (!find(platform, device))
    return 3;
  if (count == 1) {
    printf("%s, %s\n", platformText(platform, CL_PLATFORM_VERSION).c_str(), deviceText(device, CL_DEVICE_NAME).c_str());
    return 0;
  }
  string source;
  for (int i = 2; i < count; i++) {
    std::ifstream file(arguments[i]);
    source.append(std::istreambuf_iterator<char>(file), {});
  }
  if (!readInput())
    return 2;
  Program program(arguments[1], source, platform, device);
  serve(program);
  return 0;
}
