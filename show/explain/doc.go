// Package explain draws the stages of one video instruction, as the manual names them, the lanes
// side by side: which byte goes where, what is clamped, what comes from c. Where the two readings
// of the instruction give different values it says at which stage they part, and why.
//
//	sem.Trace --Draw--> Drawing --+--> Write   text of at most 80 columns
//	                              +--> SVG     a picture, light and dark
//
// drawing.go is the drawing: what is shown, and nothing of how. stages.go and mad.go make it of a
// trace, difference.go adds the other reading. text.go and svg.go are the renderers.
package explain
