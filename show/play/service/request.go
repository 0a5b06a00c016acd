package service

// Object and List are the data of an answer. Their values are strings, bools, ints, floats, Objects and Lists.
type (
	Object = map[string]any
	List   = []any
)

// Request is a question of the page. Function says which; each uses the fields that it wants.
type Request struct {
	Function string
	Text     string // in the editor
	Name     string // says what the text is, see [Instructions]
	Form     string // an instruction
	A, B, C  uint32
	Width    int    // of the pictures, in pixels
	Language string // to emit
	SM       int    // to lower for: 80 is sm_80
}

// functions are the questions.
var functions = map[string]func(*Request) Object{"analyse": Analyse, "evaluate": Evaluate, "lower": Lower, "emit": Emit}

// Answer answers a question. What cannot be answered has an "error", a message for the user.
func Answer(r *Request) Object {
	f, ok := functions[r.Function]
	if !ok {
		return failure("there is no function " + r.Function)
	}
	if len(r.Text) > maxText {
		return failure("the text is larger than 1 MiB: use the command vop for it")
	}
	return f(r)
}

// maxText is how large a text is looked at: more would stop the page for seconds at each key.
const maxText = 1 << 20

func failure(message string) Object { return Object{"error": message} }
