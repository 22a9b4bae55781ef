package gitstore

import (
	"bytes"
	"compress/zlib"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"sync"
)

// A batch holds objects that are to be written, and gives them to git all at once: where git is the one who writes, a
// child for each object would make hundreds.
type batch struct {
	repo  *Repo
	mu    sync.Mutex
	order []string
	byOID map[string]batched
}

type batched struct {
	kind string
	data []byte
}

type batchKey struct{}

// batching has what is written under the context it gives kept back until flush. Where objects are written in process,
// flush has nothing to do.
func (r *Repo) batching(ctx context.Context) (_ context.Context, flush func(context.Context) error) {
	if p, ok := r.store.(*preferred); ok && !p.gitWrites.Load() {
		return ctx, func(context.Context) error { return nil }
	}
	b := &batch{repo: r, byOID: map[string]batched{}}
	return context.WithValue(ctx, batchKey{}, b), b.flush
}

func batchOf(ctx context.Context) *batch {
	b, _ := ctx.Value(batchKey{}).(*batch)
	return b
}

func (b *batch) add(kind string, data []byte) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	h := b.hash()
	fmt.Fprintf(h, "%s %d\x00", kind, len(data))
	h.Write(data)
	oid := hex.EncodeToString(h.Sum(nil))
	if _, there := b.byOID[oid]; !there {
		b.order = append(b.order, oid)
		b.byOID[oid] = batched{kind, bytes.Clone(data)}
	}
	return oid
}

func (b *batch) get(oid string) (batched, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	o, ok := b.byOID[oid]
	return o, ok
}

func (b *batch) hash() hash.Hash {
	if b.repo.place.ObjectFormat == "sha256" {
		return sha256.New()
	}
	return sha1.New()
}

// flush sends the objects to git as a pack (gitformat-pack(5)), which git unpacks.
func (b *batch) flush(ctx context.Context) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.order) == 0 {
		return nil
	}
	var pack bytes.Buffer
	pack.WriteString("PACK")
	for _, n := range []uint32{2, uint32(len(b.order))} {
		pack.Write(binary.BigEndian.AppendUint32(nil, n))
	}
	for _, oid := range b.order {
		if err := packObject(&pack, b.byOID[oid]); err != nil {
			return err
		}
	}
	h := b.hash()
	h.Write(pack.Bytes())
	pack.Write(h.Sum(nil))
	b.order = nil
	_, err := b.repo.gitIn(ctx, pack.Bytes(), "unpack-objects", "-q")
	return err
}

var packKinds = map[string]byte{"commit": 1, "tree": 2, "blob": 3, "tag": 4}

// packObject writes one object without a delta: its kind and size, four and then seven bits a byte, and its content.
func packObject(pack *bytes.Buffer, o batched) error {
	size := len(o.data)
	head := packKinds[o.kind]<<4 | byte(size&0x0f)
	for size >>= 4; size > 0; size >>= 7 {
		pack.WriteByte(head | 0x80)
		head = byte(size & 0x7f)
	}
	pack.WriteByte(head)
	z := zlib.NewWriter(pack)
	if _, err := z.Write(o.data); err != nil {
		return err
	}
	return z.Close()
}
