// Rays through a bounding volume hierarchy: kernels/bvh. Products and sums stay apart, as they do in the PTX.
#pragma OPENCL FP_CONTRACT OFF

typedef struct {
  float x, y, z;
} Vector;

typedef struct {
  Vector origin;
  float begin;
  Vector direction;
  float end;
} Ray;

typedef struct {
  Vector low, high;
} Box;

typedef struct {
  Box box[2];
  int child[2];
  int unused[2];
} Node;

typedef struct {
  Vector corner, edge1, edge2;
} Triangle;

typedef struct {
  float distance;
  int triangle;
} Hit;

enum { StackSize = 32 };

static int minMin(int a, int b, int c) { return lesser(lesser(a, b), c); }
static int minMax(int a, int b, int c) { return greater(lesser(a, b), c); }
static int maxMin(int a, int b, int c) { return lesser(greater(a, b), c); }
static int maxMax(int a, int b, int c) { return greater(greater(a, b), c); }

static Vector minus(Vector a, Vector b) {
  Vector d = {a.x - b.x, a.y - b.y, a.z - b.z};
  return d;
}
static float dotProduct(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static Vector crossProduct(Vector a, Vector b) {
  Vector d = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  return d;
}

static bool meets(global const Box *box, Vector origin, Vector inverse, int begin, int end) {
  int x0 = as_int((box->low.x - origin.x) * inverse.x), x1 = as_int((box->high.x - origin.x) * inverse.x);
  int y0 = as_int((box->low.y - origin.y) * inverse.y), y1 = as_int((box->high.y - origin.y) * inverse.y);
  int z0 = as_int((box->low.z - origin.z) * inverse.z), z1 = as_int((box->high.z - origin.z) * inverse.z);
  int enter = maxMax(lesser(x0, x1), lesser(y0, y1), minMax(z0, z1, begin));
  int leave = minMin(greater(x0, x1), greater(y0, y1), maxMin(z0, z1, end));
  return enter <= leave;
}

static float intersect(global const Triangle *t, Ray ray) {
  Vector p = crossProduct(ray.direction, t->edge2);
  float determinant = dotProduct(t->edge1, p);
  if (determinant == 0)
    return -1;
  float inverse = 1 / determinant;
  Vector s = minus(ray.origin, t->corner);
  float u = dotProduct(s, p) * inverse;
  Vector q = crossProduct(s, t->edge1);
  float v = dotProduct(ray.direction, q) * inverse;
  if (u < 0 || v < 0 || u + v > 1)
    return -1;
  return dotProduct(t->edge2, q) * inverse;
}

kernel void bvh(global const Ray *rays, int count, global const Node *nodes, global const Triangle *triangles, global Hit *hits) {
  int i = get_global_id(0);
  if (i >= count)
    return;
  Ray ray = rays[i];
  Vector inverse = {1 / ray.direction.x, 1 / ray.direction.y, 1 / ray.direction.z};
  Hit hit = {ray.end, -1};
  int stack[StackSize], depth = 0, next = 0;
  while (true) {
    if (next < 0) {
      float distance = intersect(&triangles[~next], ray);
      if (distance >= ray.begin && (distance < hit.distance || (distance == hit.distance && (Word)~next < (Word)hit.triangle))) {
        hit.distance = distance;
        hit.triangle = ~next;
      }
    } else {
      global const Node *node = &nodes[next];
      for (int c = 0; c < 2; c++)
        if (depth < StackSize && meets(&node->box[c], ray.origin, inverse, as_int(ray.begin), as_int(hit.distance)))
          stack[depth++] = node->child[c];
    }
    if (depth == 0)
      break;
    next = stack[--depth];
  }
  hits[i] = hit;
}
