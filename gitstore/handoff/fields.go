package handoff

import (
	"reflect"
	"slices"
	"strings"
	"sync"
)

// A field is one key of a struct of the document, found through its yaml tag.
type field struct {
	key   string
	index []int
	// omit says that an empty value is not written.
	omit bool
}

var (
	fieldCache sync.Map // reflect.Type to []field
	timeType   = reflect.TypeFor[Time]()
	itemType   = reflect.TypeFor[Item]()
)

// fieldsOf lists the keys of a struct in the order in which they are written; those of inlined structs are its own.
func fieldsOf(t reflect.Type) []field {
	if known, ok := fieldCache.Load(t); ok {
		return known.([]field)
	}
	fields := structFields(t, nil)
	if t == reflect.TypeFor[Document]() {
		slices.SortStableFunc(fields, func(a, b field) int { return keyRank(a.key) - keyRank(b.key) })
	}
	fieldCache.Store(t, fields)
	return fields
}

func structFields(t reflect.Type, prefix []int) []field {
	var fields []field
	for i := range t.NumField() {
		name, options, _ := strings.Cut(t.Field(i).Tag.Get("yaml"), ",")
		index := append(slices.Clone(prefix), i)
		if options == "inline" {
			fields = append(fields, structFields(t.Field(i).Type, index)...)
			continue
		}
		fields = append(fields, field{key: name, index: index, omit: options == "omitempty"})
	}
	return fields
}

func keyRank(name string) int {
	return slices.IndexFunc(Keys, func(k Key) bool { return k.Name == name })
}

// enums are the values of the document's enumerations outside lists.
var enums = map[reflect.Type][]string{
	reflect.TypeFor[Status]():       {string(Active), string(Superseded), string(Archived)},
	reflect.TypeFor[EvidenceKind](): {string(Verified), string(Asserted), string(Assumed)},
	reflect.TypeFor[Progress]():     {string(InProgress), string(Blocked), string(ProgressDone)},
	reflect.TypeFor[Severity]():     {string(Info), string(Warn), string(Block)},
	reflect.TypeFor[Change]():       {string(Added), string(Modified), string(Deleted), string(Renamed), string(Copied), string(TypeChanged), string(ModeChanged), string(Unmerged)},
}

// sameValue reports whether two values of the document are equal, where nil and empty are the same.
func sameValue(a, b reflect.Value) bool {
	if a.Type() == timeType {
		return a.Interface().(Time).String() == b.Interface().(Time).String()
	}
	switch a.Kind() {
	case reflect.Struct:
		for i := range a.NumField() {
			if !sameValue(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Slice:
		return sameSlice(a, b)
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		return sameValue(a.Elem(), b.Elem())
	case reflect.Map:
		if a.Len() == 0 && b.Len() == 0 {
			return true
		}
	}
	return reflect.DeepEqual(a.Interface(), b.Interface())
}

func sameSlice(a, b reflect.Value) bool {
	if a.Len() != b.Len() {
		return false
	}
	for i := range a.Len() {
		if !sameValue(a.Index(i), b.Index(i)) {
			return false
		}
	}
	return true
}
