//go:build !linux

package codepage

import "errors"

// CanReplace tells whether the system has what [Block.Replace] needs.
const CanReplace = false

// Replace is not there on this system.
func (b *Block) Replace(int, []byte) error { return errors.ErrUnsupported }
