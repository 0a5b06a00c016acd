package matrix

// Place is a row and a column.
type Place struct{ Row, Column int }

// Lanes is how many lanes have the elements of a matrix.
const Lanes = 32

// A lane has the following elements of the matrices of an mma, as the formulas of the manual say
// (PTX ISA 9.7.14.5.2 to 13), with i the number of the element: groupID is the lane's number by four,
// and threadID_in_group what is left of it. Of m8n8k4 of f16 they are others.

// OfA is where the elements of a stand: in row groupID, or groupID + 8 in every other register, and in
// column per * threadID_in_group + i % per, 4 * per more for each 16 rows done.
func (p Product) OfA(lane int) (places []Place) {
	per := Types[p.A].Per()
	for i := range p.M * p.K / Lanes {
		row, step := lane/4, i/per
		if p.M == 16 {
			row, step = row+8*(step%2), step/2
		}
		places = append(places, Place{row, lane%4*per + i%per + 4*per*step})
	}
	return places
}

// OfB is where the elements of b stand: as those of a without rows, in column groupID.
func (p Product) OfB(lane int) (places []Place) {
	per := Types[p.B].Per()
	for i := range p.K * p.N / Lanes {
		places = append(places, Place{lane%4*per + i%per + 4*per*(i/per), lane / 4})
	}
	return places
}

// OfC is where the elements of c and d stand: in row groupID, or groupID + 8 from the third one on, and
// in column 2 * threadID_in_group + i % 2.
func (p Product) OfC(lane int) (places []Place) {
	for i := range p.M * p.N / Lanes {
		places = append(places, Place{lane/4 + 8*(i/2), 2*(lane%4) + i%2})
	}
	return places
}

// OfTile is where the two elements of a lane stand in a matrix of 8 x 8 halves (PTX ISA 9.7.14.5.15).
func OfTile(lane int) []Place { return []Place{{lane / 4, lane % 4 * 2}, {lane / 4, lane%4*2 + 1}} }

// At are the elements at places.
func (m Matrix) At(places []Place) (elements []uint64) {
	for _, p := range places {
		elements = append(elements, m[p.Row][p.Column])
	}
	return elements
}

// Put sets the elements at places.
func (m Matrix) Put(places []Place, elements []uint64) {
	for i, p := range places {
		m[p.Row][p.Column] = elements[i]
	}
}

// Empty is a matrix of zeros.
func Empty(rows, columns int) Matrix {
	m := make(Matrix, rows)
	for i := range m {
		m[i] = make([]uint64, columns)
	}
	return m
}

// Transposed is the matrix with rows for columns.
func (m Matrix) Transposed() Matrix {
	t := Empty(len(m[0]), len(m))
	for i, row := range m {
		for j, x := range row {
			t[j][i] = x
		}
	}
	return t
}
