// Package kubernetes holds the manifest that runs a campaign as an Indexed Job, and its tests. It is a module of its own,
// so that vop needs nothing of Kubernetes.
package kubernetes
