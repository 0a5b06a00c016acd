// Rays through a bounding volume hierarchy: kernels/bvh. Without contraction (fp-contract), as the kernel is compiled.
#include "peer.h"

namespace {
struct Vector {
  float x, y, z;
};

struct Ray {
  Vector origin;
  float begin;
  Vector direction;
  float end;
};

struct Box {
  Vector low, high;
};

struct Node {
  Box box[2];
  int child[2];
  int unused[2];
};

struct Triangle {
  Vector corner, edge1, edge2;
};

struct Hit {
  float distance;
  int triangle;
};

const int StackSize = 32;

int count;
const Ray *rays;
const Node *nodes;
const Triangle *triangles;
Buffer hits;

template <class T> const T *take(size_t n) { return (const T *)words(n * sizeof(T) / 4); }

void load() {
  count = number();
  int nodeCount = number(), triangleCount = number();
  rays = take<Ray>(count);
  nodes = take<Node>(nodeCount);
  triangles = take<Triangle>(triangleCount);
  hits.resize(count * sizeof(Hit) / 4);
}

inline Vector minus(Vector a, Vector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline float dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vector cross(Vector a, Vector b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }

inline float lesser(float a, float b) { return a < b ? a : b; }
inline float greater(float a, float b) { return a < b ? b : a; }

inline bool meets(const Box &box, Vector origin, Vector inverse, float begin, float end) {
  float x0 = (box.low.x - origin.x) * inverse.x, x1 = (box.high.x - origin.x) * inverse.x;
  float y0 = (box.low.y - origin.y) * inverse.y, y1 = (box.high.y - origin.y) * inverse.y;
  float z0 = (box.low.z - origin.z) * inverse.z, z1 = (box.high.z - origin.z) * inverse.z;
  float enter = greater(greater(lesser(x0, x1), lesser(y0, y1)), greater(lesser(z0, z1), begin));
  float leave = lesser(lesser(greater(x0, x1), greater(y0, y1)), lesser(greater(z0, z1), end));
  return enter <= leave;
}

inline float intersect(const Triangle &t, const Ray &ray) {
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

Hit trace(const Ray &ray) {
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
        if (depth < StackSize && meets(node.box[c], ray.origin, inverse, ray.begin, hit.distance))
          stack[depth++] = node.child[c];
    }
    if (depth == 0)
      break;
    next = stack[--depth];
  }
  return hit;
}

void plain() {
  Hit *to = (Hit *)hits.data();
  for (int i = 0; i < count; i++)
    to[i] = trace(rays[i]);
}
} // namespace

const Case bvhCase = {"bvh", load, {plain, nullptr, nullptr}, {&hits}};
