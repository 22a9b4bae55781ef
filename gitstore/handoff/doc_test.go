package handoff

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
)

// docTables are the tables of the specification in doc.go as the code has them, line by line.
func docTables() []string {
	var lines []string
	for _, k := range Keys {
		lines = append(lines, fmt.Sprintf("%-25s%-10s%s", k.Name, k.Owner, k.Doc))
	}
	for _, l := range Lists {
		lines = append(lines, fmt.Sprintf("%-25s%s", l.Key, itemNotation(l)))
	}
	for _, f := range fieldsOf(reflect.TypeFor[Document]()) {
		t := reflect.TypeFor[Document]().FieldByIndex(f.index).Type
		if k, _ := KeyOf(f.key); k.Owner != OwnerBrief && strings.ContainsAny(notation(t), "{[") {
			lines = append(lines, fmt.Sprintf("%-25s%s", f.key, notation(t)))
		}
	}
	for line := range strings.SplitSeq(MessageOf(richDocument(), EventSave).String(), "\n") {
		if line != "" {
			lines = append(lines, line)
		}
	}
	for _, s := range Shapes {
		for _, k := range shapeSpecs[s].keys {
			lines = append(lines, fmt.Sprintf("%-25s%s", string(s)+" "+k.name, shapeNotation(k)))
		}
	}
	return lines
}

func itemNotation(l List) string {
	parts := []string{l.Identity}
	for _, key := range l.Subkeys {
		if values := l.SubkeyValues(key); values != nil {
			key += ": " + strings.Join(values, "/")
		}
		parts = append(parts, key)
	}
	return strings.Join(parts, ", ")
}

// notation writes the keys of a type: {struct}, [list], a/b for enumerations.
func notation(t reflect.Type) string {
	switch {
	case enums[t] != nil:
		return strings.Join(enums[t], "/")
	case t == timeType:
		return ""
	}
	switch t.Kind() {
	case reflect.Pointer:
		return notation(t.Elem())
	case reflect.Slice:
		return "[" + notation(t.Elem()) + "]"
	case reflect.Map:
		return "{path: digest}"
	case reflect.Struct:
		var parts []string
		for _, f := range fieldsOf(t) {
			part := f.key
			if inner := notation(t.FieldByIndex(f.index).Type); inner != "" {
				part += ": " + inner
			}
			parts = append(parts, part)
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return ""
}

func shapeNotation(k shapeKey) string {
	switch {
	case k.text != "":
		return k.text
	case k.list == "next":
		return "next_action, next"
	case k.part:
		return k.list + ", in part"
	case k.list != "":
		return k.list
	}
	return "not taken"
}

// TestSpecification holds doc.go to the tables: what the code knows is there, word for word.
func TestSpecification(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	doc := strings.ReplaceAll(string(data), "\r\n", "\n")
	for _, line := range docTables() {
		if !strings.Contains(doc, "//\t"+line+"\n") {
			t.Errorf("doc.go has no line\n//\t%s", line)
		}
	}
	prose := strings.Join(strings.Fields(strings.ReplaceAll(doc, "\n//", "\n")), " ")
	for _, word := range []string{
		TrailerEvent, TrailerStatus, TrailerProgress, TrailerActor, TrailerSession, TrailerAuthor, TrailerSaved, TrailerHead,
		string(EventSave), string(EventSupersede), string(EventArchive), string(EventReopen), string(EventRename), string(EventClaim),
		string(EventMerge), string(EventRefresh), string(EventResume), RefPrefix, File,
		fmt.Sprintf("%d list entries", MaxItems), fmt.Sprintf("%d characters", MaxSubject), fmt.Sprintf("%d characters", MaxNote),
	} {
		if !strings.Contains(prose, word) {
			t.Errorf("doc.go does not say %q", word)
		}
	}
	inTables := 0
	for line := range strings.SplitSeq(doc, "\n") {
		if strings.HasPrefix(line, "//\t") {
			inTables++
		}
	}
	if want := len(docTables()); inTables != want {
		t.Errorf("doc.go has %d lines in tables, the code %d", inTables, want)
	}
}
