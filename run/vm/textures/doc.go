// Package textures tests reads of textures and accesses to surfaces: places, borders, filters,
// formats and traps.
package textures
