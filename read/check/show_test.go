package check_test
import ("os";"strings";"testing";"math/rand")
func TestShow(t *testing.T) {
	name := os.Getenv("SHOW"); if name=="" {t.Skip()}
	data, _ := os.ReadFile(name)
	L := strings.Split(strings.TrimSpace(string(data)), "\n")
	rand.New(rand.NewSource(3)).Shuffle(len(L), func(i,j int){L[i],L[j]=L[j],L[i]})
	for _, l := range L { f:=strings.Split(l,"\t"); if f[0]!="reject"&&len(f)>1 {continue}; x:=f[len(f)-1]; if len(f)>1 {x=f[1]}
		found := checkModule(strings.Replace(ordinaryContext, "LINE", x, 1))
		t.Log(x)
		for _, d := range found { t.Logf("      %s: [%s] %s | %s | suggest %s", d.Code, d.File.Text[d.Span.Start:d.Span.End], d.Message, strings.Join(d.Notes," || "), d.Suggest) }
	}
}
