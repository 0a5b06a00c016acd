package sarif

// The part of SARIF 2.1.0 that is written, named as in the standard
// (https://docs.oasis-open.org/sarif/sarif/v2.1.0/). A library for it exists
// (owenrumney/go-sarif), but brings three modules for validating schemas along.

type report struct {
	Schema  string `json:"$schema"`
	Version string `json:"version"`
	Runs    []run  `json:"runs"`
}

type run struct {
	Tool       tool     `json:"tool"`
	ColumnKind string   `json:"columnKind"`
	Results    []result `json:"results"`
}

type tool struct {
	Driver driver `json:"driver"`
}

type driver struct {
	Name           string `json:"name"`
	Version        string `json:"version,omitempty"`
	InformationURI string `json:"informationUri"`
	Rules          []rule `json:"rules"`
}

type rule struct {
	ID                   string        `json:"id"`
	FullDescription      text          `json:"fullDescription"`
	Help                 text          `json:"help"`
	HelpURI              string        `json:"helpUri"`
	DefaultConfiguration configuration `json:"defaultConfiguration"`
}

type configuration struct {
	Level string `json:"level"`
}

type text struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type result struct {
	RuleID    string     `json:"ruleId"`
	RuleIndex int        `json:"ruleIndex"`
	Level     string     `json:"level"`
	Message   text       `json:"message"`
	Locations []location `json:"locations"`
	Fixes     []fix      `json:"fixes,omitempty"`
}

type location struct {
	PhysicalLocation physicalLocation `json:"physicalLocation"`
}

type physicalLocation struct {
	ArtifactLocation artifactLocation `json:"artifactLocation"`
	Region           region           `json:"region"`
}

type artifactLocation struct {
	URI string `json:"uri"`
}

type region struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn"`
	EndLine     int `json:"endLine"`
	EndColumn   int `json:"endColumn"`
}

type fix struct {
	Description     text             `json:"description"`
	ArtifactChanges []artifactChange `json:"artifactChanges"`
}

type artifactChange struct {
	ArtifactLocation artifactLocation `json:"artifactLocation"`
	Replacements     []replacement    `json:"replacements"`
}

type replacement struct {
	DeletedRegion   region `json:"deletedRegion"`
	InsertedContent text   `json:"insertedContent"`
}
