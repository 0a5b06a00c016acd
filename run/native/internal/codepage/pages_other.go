//go:build !linux && !darwin && !freebsd && !windows

package codepage

import "errors"

func mapPages(int) ([]byte, error) { return nil, errors.ErrUnsupported }
func protectPages([]byte) error    { return errors.ErrUnsupported }
func unmapPages([]byte) error      { return errors.ErrUnsupported }
