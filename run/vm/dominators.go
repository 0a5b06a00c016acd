package vm

// dominators returns the immediate dominator of each node that can be reached from the root, the root for the root
// itself, and -1 for all others. after lists the nodes that follow a node, before those that it follows. The
// algorithm is that of Lengauer and Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph" (1979), in its
// simple form: its time grows little faster than the graph, whatever its shape.
func dominators(root int, after, before [][]int) (dominator []int) {
	t := newDominatorTree(root, after)
	n := len(t.nodes)
	immediate := make([]int, n)
	bucket, link := filled(n, -1), filled(n, -1) // lists of the nodes with a semidominator
	for w := n - 1; w > 0; w-- {
		for _, node := range before[t.nodes[w]] {
			if v := t.number[node]; v >= 0 {
				t.semi[w] = min(t.semi[w], t.semi[t.eval(v)])
			}
		}
		link[w], bucket[t.semi[w]] = bucket[t.semi[w]], w
		parent := t.parent[w]
		t.ancestor[w] = parent
		for v := bucket[parent]; v >= 0; v = link[v] {
			immediate[v] = parent
			if u := t.eval(v); t.semi[u] < t.semi[v] {
				immediate[v] = u
			}
		}
		bucket[parent] = -1
	}
	dominator = filled(len(after), -1)
	dominator[root] = root
	for w := 1; w < n; w++ {
		if immediate[w] != t.semi[w] {
			immediate[w] = immediate[immediate[w]]
		}
		dominator[t.nodes[w]] = t.nodes[immediate[w]]
	}
	return dominator
}

// dominatorTree is what dominators knows of the nodes, which it numbers in the order in which a search, depth
// first, comes to them.
type dominatorTree struct {
	nodes  []int // by number
	number []int // by node; -1 of those that are not reached
	parent []int // in the tree of the search
	// semi is the semidominator: the first from which the node is reached through later ones alone.
	semi []int
	// ancestor is a node above in the forest of those done, -1 of its roots; label is the one with the first
	// semidominator between.
	ancestor, label []int
	path            []int // of eval
}

// newDominatorTree searches the graph from the root.
func newDominatorTree(root int, after [][]int) *dominatorTree {
	t := &dominatorTree{number: filled(len(after), -1)}
	enter := func(node, parent int) {
		n := len(t.nodes)
		t.number[node] = n
		t.nodes, t.parent = append(t.nodes, node), append(t.parent, parent)
		t.semi, t.label, t.ancestor = append(t.semi, n), append(t.label, n), append(t.ancestor, -1)
	}
	type visit struct{ node, edge int }
	enter(root, -1)
	for stack := []visit{{root, 0}}; len(stack) > 0; {
		top := &stack[len(stack)-1]
		if top.edge == len(after[top.node]) {
			stack = stack[:len(stack)-1]
			continue
		}
		to := after[top.node][top.edge]
		top.edge++
		if t.number[to] < 0 {
			enter(to, t.number[top.node])
			stack = append(stack, visit{to, 0})
		}
	}
	return t
}

// eval returns the node with the first semidominator on the way from v up to below its root, and shortens that way.
func (t *dominatorTree) eval(v int) int {
	if t.ancestor[v] < 0 {
		return v
	}
	t.path = t.path[:0]
	for u := v; t.ancestor[t.ancestor[u]] >= 0; u = t.ancestor[u] {
		t.path = append(t.path, u)
	}
	for i := len(t.path) - 1; i >= 0; i-- {
		u := t.path[i]
		above := t.ancestor[u]
		if t.semi[t.label[above]] < t.semi[t.label[u]] {
			t.label[u] = t.label[above]
		}
		t.ancestor[u] = t.ancestor[above]
	}
	return t.label[v]
}

// filled returns a slice of n times a value.
func filled(n, value int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = value
	}
	return s
}
