package translate

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPseudocode(t *testing.T) {
	for _, test := range []struct {
		instruction string
		want        []string
	}{
		{"vabsdiff.s32.u32.s32.sat.min d, a.b3, b, c;", []string{
			"ta = partSelectSignExtend( a, .u32, .b3 )",
			"tb = partSelectSignExtend( b, .s32 )",
			"tmp = | ta - tb |",
			"tmp = CLAMP( tmp, S32_MAX, S32_MIN )",
			"d = MIN( tmp, c )",
		}},
		{"vsub.u32.u32.u32.sat d.h1, a, b, c;", []string{
			"ta = partSelectSignExtend( a, .u32 )",
			"tb = partSelectSignExtend( b, .u32 )",
			"tmp = ta - tb",
			"tmp = CLAMP( tmp, U16_MAX, U16_MIN )",
			"d = c, but d.h1 = tmp",
		}},
		{"vshr.s32.s32.u32.wrap d, a.h0, b;", []string{
			"ta = partSelectSignExtend( a, .s32, .h0 )",
			"tb = partSelectSignExtend( b, .u32 )",
			"tb = tb & 0x1f",
			"tmp = ta >> tb",
			"d = tmp",
		}},
		{"vmad.u32.u32.u32.po.sat.shr15 d, a, b, c;", []string{
			"ta = partSelectSignExtend( a, .u32 )",
			"tb = partSelectSignExtend( b, .u32 )",
			"tmp = ta * tb + zext( c ) + 1",
			"tmp = tmp >> 15",
			"tmp = CLAMP( tmp, U32_MAX, U32_MIN )",
			"d = tmp",
		}},
		{"vmad.u32.u32.u32.sat d, a, b, -c;", []string{
			"ta = partSelectSignExtend( a, .u32 )",
			"tb = partSelectSignExtend( b, .u32 )",
			"tmp = ta * tb + sext32( ~c ) + 1",
			"tmp = CLAMP( tmp, S32_MAX, S32_MIN )",
			"d = tmp",
		}},
		{"vset.s32.u32.ne.max d, a, b, c;", []string{
			"ta = partSelectSignExtend( a, .s32 )",
			"tb = partSelectSignExtend( b, .u32 )",
			"tmp = ta != tb ? 1 : 0",
			"d = MAX( tmp, c )",
		}},
		{"vavrg4.u32.u32.u32.add d.b20, a, b.b7766, c;", []string{
			"Va = extractAndSignExt_4( a, b, .b3210, .u32 )",
			"Vb = extractAndSignExt_4( a, b, .b7766, .u32 )",
			"t[i] = ( Va[i] + Vb[i] + (Va[i] + Vb[i] >= 0 ? 1 : 0) ) >> 1",
			"d = c + the sum of t[i] over .b20",
		}},
		{"vmin2.s32.s32.s32.sat d.h1, a, b, c;", []string{
			"Va = extractAndSignExt_2( a, b, .h10, .s32 )",
			"Vb = extractAndSignExt_2( a, b, .h32, .s32 )",
			"t[i] = MIN( Va[i], Vb[i] )",
			"t[i] = CLAMP( t[i], S16_MAX, S16_MIN )",
			"d[i] = t[i] for .h1, c[i] for the others",
		}},
	} {
		if diff := cmp.Diff(test.want, pseudocode(form(t, test.instruction))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.instruction, diff)
		}
	}
}
