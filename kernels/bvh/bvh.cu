// Rays through a bounding volume hierarchy. The slabs of a box are compared as integers,
// three numbers in one instruction (Aila and Laine's way on Kepler): numbers from 0 on are
// ordered as their bits are, and a negative one loses against the ray's beginning, which is none.
#include "../cuda.h"

struct Vector {
  float x, y, z;
};

struct Ray {
  Vector origin;
  float begin; // at least 0
  Vector direction;
  float end;
};

struct Box {
  Vector low, high;
};

// A child is the number of a node, or ~ the number of a triangle.
struct Node {
  Box box[2];
  int child[2];
  int unused[2];
};

struct Triangle {
  Vector corner, edge1, edge2;
};

struct Hit {
  float distance; // the ray's end if there is none
  int triangle;   // -1 if there is none
};

const int StackSize = 32;

DEVICE int bitsOf(float f) {
  int i;
  asm("mov.b32 %0, %1;" : "=r"(i) : "f"(f));
  return i;
}

#define THREE(name, instruction)                                                                                                           \
  DEVICE int name(int a, int b, int c) {                                                                                                   \
    int d;                                                                                                                                 \
    asm(instruction " %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));                                                                \
    return d;                                                                                                                              \
  }
THREE(minMin, "vmin.s32.s32.s32.min")
THREE(minMax, "vmin.s32.s32.s32.max") // the greater of the lesser of a and b, and c
THREE(maxMin, "vmax.s32.s32.s32.min")
THREE(maxMax, "vmax.s32.s32.s32.max")

DEVICE Vector minus(Vector a, Vector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
DEVICE float dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
DEVICE Vector cross(Vector a, Vector b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }

// meets tells whether the ray is in the box somewhere between begin and end, bits of numbers.
DEVICE bool meets(const Box &box, Vector origin, Vector inverse, int begin, int end) {
  int x0 = bitsOf((box.low.x - origin.x) * inverse.x), x1 = bitsOf((box.high.x - origin.x) * inverse.x);
  int y0 = bitsOf((box.low.y - origin.y) * inverse.y), y1 = bitsOf((box.high.y - origin.y) * inverse.y);
  int z0 = bitsOf((box.low.z - origin.z) * inverse.z), z1 = bitsOf((box.high.z - origin.z) * inverse.z);
  int enter = maxMax(min(x0, x1), min(y0, y1), minMax(z0, z1, begin));
  int leave = minMin(max(x0, x1), max(y0, y1), maxMin(z0, z1, end));
  return enter <= leave;
}

// intersect returns the distance at which the ray meets the triangle (Moeller and
// Trumbore), or a negative number.
DEVICE float intersect(const Triangle &t, const Ray &ray) {
  Vector p = cross(ray.direction, t.edge2);
  float determinant = dot(t.edge1, p);
  if (determinant == 0)
    return -1;
  float inverse = 1 / determinant;
  Vector s = minus(ray.origin, t.corner);
  float u = dot(s, p) * inverse;
  Vector q = cross(s, t.edge1);
  float v = dot(ray.direction, q) * inverse;
  if (u < 0 || v < 0 || u + v > 1)
    return -1;
  return dot(t.edge2, q) * inverse;
}

// bvh finds the first triangle of each ray; of two at the same distance, the one with the lower number.
// No component of a direction is 0. Node 0 is the root.
KERNEL void bvh(const Ray *rays, int count, const Node *nodes, const Triangle *triangles, Hit *hits) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  Ray ray = rays[i];
  Vector inverse = {1 / ray.direction.x, 1 / ray.direction.y, 1 / ray.direction.z};
  Hit hit = {ray.end, -1};
  int stack[StackSize], depth = 0, next = 0;
  while (true) {
    if (next < 0) {
      float distance = intersect(triangles[~next], ray);
      if (distance >= ray.begin && (distance < hit.distance || (distance == hit.distance && (Word)~next < (Word)hit.triangle)))
        hit = {distance, ~next};
    } else {
      const Node &node = nodes[next];
      for (int c = 0; c < 2; c++)
        if (depth < StackSize && meets(node.box[c], ray.origin, inverse, bitsOf(ray.begin), bitsOf(hit.distance)))
          stack[depth++] = node.child[c];
    }
    if (depth == 0)
      break;
    next = stack[--depth];
  }
  hits[i] = hit;
}
