package gpu

// Pool is contexts on a GPU, one for each of those that use it at the same time.
type Pool struct {
	// Name is what the driver calls the GPU.
	Name string

	program  *Program
	optimize int
	idle     chan *GPU // nil of one that is to be opened
}

// NewPool makes room for so many contexts, in which the driver's compiler optimizes as told, from 0 to 4. An error that is ErrNone says that there
// is no GPU. The folder is for the program.
func NewPool(folder string, contexts, optimize int) (*Pool, error) {
	program, err := Build(folder)
	if err != nil {
		return nil, err
	}
	p := &Pool{program: program, optimize: optimize, idle: make(chan *GPU, contexts)}
	first, err := p.open()
	if err != nil {
		return nil, err
	}
	p.Name = first.Name
	p.idle <- first
	for len(p.idle) < contexts {
		p.idle <- nil
	}
	return p, nil
}

func (p *Pool) open() (*GPU, error) {
	g, err := p.program.Open()
	if err != nil {
		return nil, err
	}
	if err := g.Optimize(p.optimize); err != nil {
		g.Close()
		return nil, err
	}
	return g, nil
}

// Do does something in a context, whose memory is free afterwards. One in which it fails is not used again.
func (p *Pool) Do(f func(g *GPU) error) (err error) {
	g := <-p.idle
	defer func() { p.idle <- g }()
	if g == nil {
		if g, err = p.open(); err != nil {
			return err
		}
	}
	if err = f(g); err == nil {
		err = g.Free()
	}
	if err != nil {
		g.Close()
		g = nil
	}
	return err
}

// Close ends all contexts.
func (p *Pool) Close() {
	for range cap(p.idle) {
		if g := <-p.idle; g != nil {
			g.Close()
		}
	}
}
