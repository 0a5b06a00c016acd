package memory

import (
	"slices"
	"strings"

	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build/builder"
	"github.com/vop-ptx/vop/run/simt/build/form"
)

// asyncForms are stores and reductions that the thread does not wait for (PTX ISA 9.7.9.12). They are made at once: those that tell a barrier in memory of
// their bytes are an access and an update of the barrier, the others an access that releases.
var asyncForms = builder.Table{
	{"st.async{.(weak|cluster)}{.shared::cluster}" + bytesTold + "{.(v2|v4)}.(b32|b64|u32|u64|s32|s64|f32|f64)", accessAsync},
	{"st.async{.mmio}.release.(gpu|sys){.global}.<mem>", accessAsync},
	{"red.async.relaxed.cluster{.shared::cluster}{" + bytesTold + "}.(inc|dec).u32", accessAsync},
	{"red.async.relaxed.cluster{.shared::cluster}{" + bytesTold + "}.(min|max).(u32|s32)", accessAsync},
	{"red.async.relaxed.cluster{.shared::cluster}{" + bytesTold + "}.(and|or|xor).b32", accessAsync},
	{"red.async.relaxed.cluster{.shared::cluster}{" + bytesTold + "}.add.(u32|s32|u64)", accessAsync},
	{"red.async{.mmio}.release.(cluster|gpu|sys){.global}.add.(u32|s32|u64|s64)", accessAsync},
}

// accessAsync builds st.async and red.async.
func accessAsync(b *builder.Builder) {
	told := !b.Form.Has("release")
	if told && !b.Count(3) || !told && !b.Count(2) {
		return
	}
	of, address := b.Access(0)
	a := form.NewAccess(sameAtOnce(b.Form))
	a.Space, a.Offset = of.Space, of.Offset
	b.Publishes = b.Publishes || a.Releases
	t := b.Form.LastType()
	values := []simt.ID{address}
	elems := b.Elements(b.Operand(1))
	for i := range elems {
		values = append(values, b.Source(&elems[i], simt.TypeOf(t), t))
	}
	switch {
	case len(elems) != a.Elements:
		b.Fail("its source does not have %d elements", a.Elements)
	case b.Form.Name == "red":
		a.Update = sameAtOnce(b.Form).Update(a.Space)
		b.Effect(simt.Inst{Kind: simt.Atomic, Args: b.List(address, values[1], values[1]), Aux: a})
	default:
		b.Effect(simt.Inst{Kind: simt.Store, Args: b.List(values...), Aux: a})
	}
	if told {
		at, _ := b.Access(2)
		tellOfBytes(b, 2, at.Space, b.Constant(simt.B64, a.Span()), under(b, 0))
	}
}

// sameAtOnce returns the form of the access that is made in place of one that nobody waits for.
func sameAtOnce(f form.Form) form.Form {
	words := slices.DeleteFunc(slices.Clone(f.Modifiers), func(m string) bool {
		return m == "async" || m == bytesTold[1:] || m == "cluster" && f.Name == "st" || m == "mmio" && f.Name == "red"
	})
	return form.Parse(strings.Join(append([]string{f.Name}, words...), "."))
}
