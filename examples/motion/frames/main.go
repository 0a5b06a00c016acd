// Command frames makes the frames of the motion example from photo.png, in the folder
// above its own:
//
//	go run ./examples/motion/frames
//	go run ./examples/motion/frames -photo astronaut.png    photo.png too, from the colour photograph
//
// examples/motion/README.md tells where the photograph comes from.
package main

import (
	"flag"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"

	"github.com/vop-ptx/vop/examples/motion"
)

func main() {
	photo := flag.String("photo", "", "colour photograph to make photo.png from")
	folder := flag.String("folder", filepath.Join("examples", "motion"), "folder of the pictures")
	flag.Parse()
	if err := run(*photo, *folder); err != nil {
		fmt.Fprintln(os.Stderr, "frames:", err)
		os.Exit(1)
	}
}

func run(photo, folder string) error {
	if photo == "" {
		photo = filepath.Join(folder, "photo.png")
	}
	img, err := read(photo)
	if err != nil {
		return err
	}
	grey := image.NewGray(img.Bounds())
	draw.Draw(grey, grey.Rect, img, grey.Rect.Min, draw.Src) // ITU-R BT.601 luma
	first, second := motion.Frames(grey)
	for name, picture := range map[string]image.Image{"photo.png": grey, "frame0.png": first, "frame1.png": second} {
		if err := write(filepath.Join(folder, name), picture); err != nil {
			return err
		}
	}
	return nil
}

func read(path string) (image.Image, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return png.Decode(file)
}

func write(path string, img image.Image) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(file, img); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}
