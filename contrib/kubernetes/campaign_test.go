package kubernetes

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// manifest reads campaign.yaml by the types of the API: a field that it does not have is an error.
func manifest(t *testing.T) (claim core.PersistentVolumeClaim, job batch.Job) {
	t.Helper()
	text, err := os.ReadFile("campaign.yaml")
	if err != nil {
		t.Fatal(err)
	}
	documents := bytes.Split(text, []byte("\n---\n"))
	if len(documents) != 2 {
		t.Fatalf("%d documents", len(documents))
	}
	if err := yaml.UnmarshalStrict(documents[0], &claim); err != nil {
		t.Fatal(err)
	}
	if err := yaml.UnmarshalStrict(documents[1], &job); err != nil {
		t.Fatal(err)
	}
	return claim, job
}

// TestManifestIsOneOfTheAPI holds it against the API's types, and against the rules that its documentation states.
func TestManifestIsOneOfTheAPI(t *testing.T) {
	claim, job := manifest(t)
	if claim.Kind != "PersistentVolumeClaim" || job.Kind != "Job" || job.APIVersion != batch.SchemeGroupVersion.String() {
		t.Errorf("kinds %q and %q of %q", claim.Kind, job.Kind, job.APIVersion)
	}
	spec := job.Spec
	pod := spec.Template.Spec
	container := pod.Containers[0]
	// backoffLimitPerIndex and FailIndex are for Indexed Jobs; a pod failure policy needs restartPolicy Never.
	if *spec.CompletionMode != batch.IndexedCompletion || *spec.BackoffLimitPerIndex < 1 || pod.RestartPolicy != core.RestartPolicyNever {
		t.Errorf("completion mode %q, %d retries, restart policy %q", *spec.CompletionMode, *spec.BackoffLimitPerIndex, pod.RestartPolicy)
	}
	if *spec.MaxFailedIndexes > *spec.Completions || *spec.Parallelism > *spec.Completions {
		t.Errorf("%d failed indexes and %d at a time, of %d", *spec.MaxFailedIndexes, *spec.Parallelism, *spec.Completions)
	}
	rule := spec.PodFailurePolicy.Rules[0]
	if rule.Action != batch.PodFailurePolicyActionFailIndex || *rule.OnExitCodes.ContainerName != container.Name || rule.OnExitCodes.Values[0] != 3 {
		t.Errorf("rule %+v", rule)
	}
	if got := environment(container)["SHARDS"]; got != strconv.Itoa(int(*spec.Completions)) {
		t.Errorf("%s shards for %d completions", got, *spec.Completions)
	}
	if container.VolumeMounts[0].MountPath != environment(container)["REPORTS"] || pod.Volumes[0].PersistentVolumeClaim.ClaimName != claim.Name {
		t.Error("the reports do not go to the claim")
	}
}

func environment(c core.Container) map[string]string {
	all := map[string]string{}
	for _, e := range c.Env {
		all[e.Name] = e.Value
	}
	return all
}

// TestPodsGiveTheReportOfALaptop runs the container's command once for each index, on a small plan, and merges.
func TestPodsGiveTheReportOfALaptop(t *testing.T) {
	_, job := manifest(t)
	container := job.Spec.Template.Spec.Containers[0]
	folder := t.TempDir()
	build := exec.Command("go", "build", "-o", filepath.Join(folder, "vop"), "./cmd/vop")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := func(env []string, args ...string) []byte {
		t.Helper()
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Env = append(append(os.Environ(), "PATH="+folder+string(os.PathListSeparator)+os.Getenv("PATH")), env...)
		cmd.Dir = folder
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %v", args, err)
		}
		return out
	}
	const plan = "--seed 5 --forms 2000 --per-form 64"
	merge := []string{filepath.Join(folder, "vop"), "merge"}
	for index := range int(*job.Spec.Completions) {
		env := []string{"JOB_COMPLETION_INDEX=" + strconv.Itoa(index)}
		for name, value := range environment(container) {
			switch name {
			case "REPORTS":
				value = folder
			case "PLAN":
				value = plan
			}
			env = append(env, name+"="+value)
		}
		run(env, append(container.Command, container.Args...)...)
		merge = append(merge, fmt.Sprintf("shard-%d.jsonl", index))
	}
	run([]string{"PLAN=" + plan}, "sh", "-c", "vop conform --shard 0/1 -o laptop.jsonl $PLAN")
	job16, laptop := run(nil, merge...), run(nil, merge[0], "merge", "laptop.jsonl")
	if !bytes.Equal(job16, laptop) {
		t.Errorf("the Job's report is\n%s\nthe laptop's\n%s", job16, laptop)
	}
}
