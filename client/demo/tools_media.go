package demo

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"math"

	"example.com/mcpinspect/client/demo/rpc"
)

func mediaTools() []tool {
	return []tool{
		{
			name: "image", title: "A picture", hints: hintReads,
			about: "Returns a small PNG picture.",
			input: `{"type":"object","properties":{"width":{"type":"integer","minimum":1,"maximum":512,"default":64},"height":{"type":"integer","minimum":1,"maximum":512,"default":48}}}`,
			run: func(_ *call, a arguments) (rpc.Object, *rpc.Error) {
				w, h := a.number("width", 64), a.number("height", 48)
				return blocks(imageBlock(w, h)), nil
			},
		},
		{
			name: "media", title: "Every kind of content", hints: hintReads,
			about: "Returns one block of every kind of content that the revision in use has.",
			input: noArguments,
			run:   media,
		},
	}
}

func media(c *call, _ arguments) (rpc.Object, *rpc.Error) {
	content := []rpc.Object{
		textBlock("Text for a person.").With("annotations", rpc.Obj("audience", []string{"user"}, "priority", 0.9)),
		imageBlock(16, 16),
	}
	if c.since(rev2503) {
		content = append(content, rpc.Obj("type", "audio", "data", base64.StdEncoding.EncodeToString(beep()), "mimeType", "audio/wav"))
	}
	content = append(content,
		rpc.Obj("type", "resource", "resource", rpc.Obj("uri", readmeURI, "mimeType", "text/markdown", "text", readmeText)),
		rpc.Obj("type", "resource", "resource", rpc.Obj("uri", logoURI, "mimeType", "image/png", "blob", base64.StdEncoding.EncodeToString(picture(8, 8)))),
	)
	if c.since(rev2506) {
		content = append(content, rpc.Obj("type", "resource_link", "uri", citiesURI, "name", "cities", "mimeType", "application/json",
			"description", "read it with resources/read"))
	}
	return blocks(content...), nil
}

func imageBlock(w, h int) rpc.Object {
	return rpc.Obj("type", "image", "data", base64.StdEncoding.EncodeToString(picture(w, h)), "mimeType", "image/png")
}

// picture draws a PNG: two gradients and a ring.
func picture(w, h int) []byte {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			dx, dy := float64(x)-float64(w)/2, float64(y)-float64(h)/2
			shade := color.NRGBA{uint8(255 * x / w), uint8(255 * y / h), 160, 255}
			if r := math.Hypot(dx, dy) / float64(min(w, h)); r > 0.3 && r < 0.4 {
				shade = color.NRGBA{255, 255, 255, 255}
			}
			m.SetNRGBA(x, y, shade)
		}
	}
	var b bytes.Buffer
	if png.Encode(&b, m) != nil { // a bytes.Buffer takes everything
		return nil
	}
	return b.Bytes()
}

// beep is a tenth of a second of 440 Hz: WAV, 8 bit, mono.
func beep() []byte {
	const rate, samples = 8000, 800
	b := append([]byte("RIFF"), binary.LittleEndian.AppendUint32(nil, 36+samples)...)
	b = append(b, "WAVEfmt "...)
	b = binary.LittleEndian.AppendUint32(b, 16)   // size of the format
	b = binary.LittleEndian.AppendUint16(b, 1)    // PCM
	b = binary.LittleEndian.AppendUint16(b, 1)    // channels
	b = binary.LittleEndian.AppendUint32(b, rate) // samples a second
	b = binary.LittleEndian.AppendUint32(b, rate) // bytes a second
	b = binary.LittleEndian.AppendUint16(b, 1)    // bytes a sample
	b = binary.LittleEndian.AppendUint16(b, 8)    // bits a sample
	b = append(b, "data"...)
	b = binary.LittleEndian.AppendUint32(b, samples)
	for i := range samples {
		b = append(b, uint8(128+60*math.Sin(2*math.Pi*440*float64(i)/rate)))
	}
	return b
}
