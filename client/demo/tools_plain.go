package demo

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"example.com/mcpinspect/client/demo/rpc"
)

// plainTools are the first ones to try: right answers, wrong arguments, failures, waiting.
func plainTools() []tool {
	return []tool{
		{
			name: "add", title: "Add two numbers", hints: hintReads,
			about:  "Adds two numbers. The answer comes as text and as structured content.",
			input:  `{"type":"object","properties":{"a":{"type":"number","description":"first number"},"b":{"type":"number","description":"second number"}},"required":["a","b"]}`,
			output: `{"type":"object","properties":{"sum":{"type":"number"}},"required":["sum"]}`,
			run:    add,
		},
		{
			name: "boom", title: "Always fails", hints: hintReads,
			about: "Always fails, the way a tool should: an ordinary result that says isError.",
			input: noArguments,
			run:   func(*call, arguments) (rpc.Object, *rpc.Error) { return failed("city not found"), nil },
		},
		{
			name: "weather", title: "Weather forecast", hints: hintWorld,
			about: "An invented forecast. Its schema refuses unknown arguments: try days=2.5 units=k x=1 without a location.",
			input: `{"type":"object","properties":{"location":{"type":"string","description":"name of a city","minLength":1},` +
				`"days":{"type":"integer","description":"how many days","default":3,"minimum":1,"maximum":14},` +
				`"units":{"type":"string","enum":["c","f"],"description":"Celsius or Fahrenheit","default":"c"}},"required":["location"],"additionalProperties":false}`,
			output: `{"type":"object","properties":{"location":{"type":"string"},"units":{"type":"string"},"days":{"type":"array","items":{"type":"object",` +
				`"properties":{"day":{"type":"integer"},"sky":{"type":"string"},"low":{"type":"integer"},"high":{"type":"integer"}},"required":["day","sky","low","high"]}}},"required":["location","units","days"]}`,
			run: weather,
		},
		{
			name: "slow", title: "Takes its time", hints: hintReads,
			about: "Works in steps and reports progress after each. Cancel it while it runs: no answer comes then.",
			input: `{"type":"object","properties":{"steps":{"type":"integer","minimum":1,"maximum":1000,"default":5},` +
				`"delay_ms":{"type":"integer","description":"milliseconds a step","minimum":0,"maximum":60000,"default":400}}}`,
			run: slow,
		},
		{
			name: "echo", title: "Echo", hints: hintReads,
			about: "Gives back the arguments exactly as they arrived, digit for digit.",
			input: `{"type":"object"}`,
			run: func(c *call, a arguments) (rpc.Object, *rpc.Error) {
				return c.structured(a.raw), nil
			},
		},
		{
			name: "dice", title: "Roll dice", hints: hintRandom,
			about:  "Rolls dice: the same call gives another answer each time.",
			input:  `{"type":"object","properties":{"sides":{"type":"integer","minimum":2,"maximum":100,"default":6},"count":{"type":"integer","minimum":1,"maximum":20,"default":2}}}`,
			output: `{"type":"object","properties":{"rolls":{"type":"array","items":{"type":"integer"}},"total":{"type":"integer"}},"required":["rolls","total"]}`,
			run:    dice,
		},
	}
}

func add(c *call, a arguments) (rpc.Object, *rpc.Error) {
	x, errX := strconv.ParseInt(string(a.members["a"]), 10, 64)
	y, errY := strconv.ParseInt(string(a.members["b"]), 10, 64)
	if sum := x + y; errX == nil && errY == nil && (sum > x) == (y > 0) {
		return c.structured(rpc.Obj("sum", sum)), nil
	}
	var f, g float64
	json.Unmarshal(a.members["a"], &f)
	json.Unmarshal(a.members["b"], &g)
	if math.IsInf(f+g, 0) {
		return failed("the sum is too large for a number"), nil
	}
	return c.structured(rpc.Obj("sum", f+g)), nil
}

// weather invents a forecast that is the same every time for one place.
func weather(c *call, a arguments) (rpc.Object, *rpc.Error) {
	place, units := a.text("location", ""), a.text("units", "c")
	h := fnv.New32a()
	h.Write([]byte(strings.ToLower(place)))
	seed := h.Sum32()
	var days []rpc.Object
	for day := range a.number("days", 3) {
		n := int(seed>>(day%16)) + 7*day
		low, high := n%14, n%14+4+n%9
		if units == "f" {
			low, high = low*9/5+32, high*9/5+32
		}
		sky := [...]string{"sun", "clouds", "rain", "fog", "thunder"}[n%5]
		days = append(days, rpc.Obj("day", day+1, "sky", sky, "low", low, "high", high))
	}
	return c.structured(rpc.Obj("location", place, "units", units, "days", days)), nil
}

func slow(c *call, a arguments) (rpc.Object, *rpc.Error) {
	steps := a.number("steps", 5)
	delay := time.Duration(a.number("delay_ms", 400)) * time.Millisecond
	for i := range steps {
		if !c.pause(delay) {
			return failed("cancelled"), nil // nobody hears it
		}
		c.progress(i+1, steps, fmt.Sprintf("step %d of %d", i+1, steps))
	}
	return said(fmt.Sprintf("done in %d steps", steps)), nil
}

func dice(c *call, a arguments) (rpc.Object, *rpc.Error) {
	sides, total := a.number("sides", 6), 0
	rolls := []int{}
	for range a.number("count", 2) {
		roll := 1 + rand.IntN(sides)
		rolls = append(rolls, roll)
		total += roll
	}
	return c.structured(rpc.Obj("rolls", rolls, "total", total)), nil
}
