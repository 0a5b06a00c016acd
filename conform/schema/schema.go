// Package schema holds the JSON schemas of the documents that vop vectors and vop conform write.
package schema

import _ "embed"

// Vectors is the schema of a line of vop vectors --format json.
//
//go:embed vectors.schema.json
var Vectors []byte

// Report is the schema of the document of vop conform --format json.
//
//go:embed report.schema.json
var Report []byte
