// Verifies an exported ledger by Go's own libraries for transparency logs, which share no code with ours.
//
// Usage: verify VKEY DIR [OLDER_CHECKPOINT ...]
//
// DIR has the layout of C2SP's tlog-tiles. The program prints one sentence, and ends with 1 where anything differs.
package main

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const height = 8
const width = 1 << height

// The hashes of the tree, made from the entries alone, in the order that tlog stores them.
type hashes []tlog.Hash

func (all hashes) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	found := make([]tlog.Hash, len(indexes))
	for at, index := range indexes {
		if index >= int64(len(all)) {
			return nil, fmt.Errorf("hash %d is not there", index)
		}
		found[at] = all[index]
	}
	return found, nil
}

func main() {
	if len(os.Args) < 3 {
		end("usage: verify VKEY DIR [OLDER_CHECKPOINT ...]")
	}
	dir := os.Args[2]
	newest := open(filepath.Join(dir, "checkpoint"))
	var tree hashes
	var leaves []tlog.Hash
	erased := 0
	for number := int64(0); int64(len(leaves)) < newest.N; number++ {
		for at, entry := range readEntries(dir, number, newest.N) {
			hash := tlog.RecordHash(entry)
			if len(entry) == 0 {
				erased++
				hash = readErased(dir, tileOf(number, newest.N), at)
			}
			stored, err := tlog.StoredHashesForRecordHash(int64(len(leaves)), hash, tree)
			check(err, "entry %d cannot be hashed", len(leaves))
			tree = append(tree, stored...)
			leaves = append(leaves, hash)
		}
	}
	checkRoot(newest, tree, "checkpoint")
	for _, tile := range tlog.NewTiles(height, 0, newest.N) {
		// The library lists each width that a partial tile has had; a log keeps the last one.
		if hashes := newest.N>>(height*tile.L) - tile.N*width; tile.W == width || int64(tile.W) == hashes {
			checkTile(dir, tile, tree)
		}
	}
	checkOtherTiles(dir, tree)
	checkInclusion(newest, leaves, tree)
	for _, file := range os.Args[3:] {
		checkOlder(file, newest, tree)
	}
	fmt.Printf("All %d entries, their tiles and %d checkpoints agree.\n", newest.N, len(os.Args)-2)
	if erased > 0 {
		fmt.Printf("Of the entries %d were erased: their hashes alone are there.\n", erased)
	}
}

// Verifies the note of a checkpoint, and reads its three lines.
func open(file string) tlog.Tree {
	text, err := os.ReadFile(file)
	check(err, "%s cannot be read", file)
	verifier, err := note.NewVerifier(os.Args[1])
	check(err, "the key is none")
	opened, err := note.Open(text, note.VerifierList(verifier))
	check(err, "the note in %s is not signed by %s", file, verifier.Name())
	lines := strings.Split(opened.Text, "\n")
	if len(lines) != 4 || lines[0] != verifier.Name() {
		end("the note in %s is no checkpoint of %s", file, verifier.Name())
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	check(err, "the size in %s is no number", file)
	root, err := base64.StdEncoding.DecodeString(lines[2])
	if err != nil || size < 1 || len(root) != tlog.HashSize {
		end("the note in %s has no size and root", file)
	}
	tree := tlog.Tree{N: size}
	copy(tree.Hash[:], root)
	return tree
}

func tileOf(number int64, size int64) tlog.Tile {
	tile := tlog.Tile{H: height, N: number, W: width}
	if rest := size - number*width; rest < width {
		tile.W = int(rest)
	}
	return tile
}

// An empty entry was erased with a person's data; its hash is in the tile, and the tree still has to agree.
func readErased(dir string, tile tlog.Tile, at int) (hash tlog.Hash) {
	stored, err := os.ReadFile(filepath.Join(dir, pathOf(tile)))
	check(err, "%s cannot be read", pathOf(tile))
	if len(stored) < (at+1)*tlog.HashSize {
		end("%s is cut off", pathOf(tile))
	}
	copy(hash[:], stored[at*tlog.HashSize:])
	return hash
}

func readEntries(dir string, number int64, size int64) [][]byte {
	tile := tileOf(number, size)
	file := filepath.Join(dir, strings.Replace(pathOf(tile), "tile/0/", "tile/entries/", 1))
	data, err := os.ReadFile(file)
	check(err, "the entries of %s cannot be read", pathOf(tile))
	var entries [][]byte
	for len(data) >= 2 {
		length := int(binary.BigEndian.Uint16(data)) + 2
		if length > len(data) {
			break
		}
		entries = append(entries, data[2:length])
		data = data[length:]
	}
	if len(data) > 0 || len(entries) != tile.W {
		end("%s has %d whole entries, not %d", file, len(entries), tile.W)
	}
	return entries
}

// tlog names the height in the paths of tiles, which C2SP leaves out.
func pathOf(tile tlog.Tile) string {
	return strings.Replace(tile.Path(), fmt.Sprintf("tile/%d/", height), "tile/", 1)
}

func checkTile(dir string, tile tlog.Tile, tree hashes) {
	stored, err := os.ReadFile(filepath.Join(dir, pathOf(tile)))
	check(err, "%s cannot be read", pathOf(tile))
	made, err := tlog.ReadTileData(tile, tree)
	check(err, "%s is not of this tree", pathOf(tile))
	if !bytes.Equal(stored, made) {
		end("%s differs from its entries", pathOf(tile))
	}
}

// Checks tiles of smaller trees too, and finds those of no tree.
func checkOtherTiles(dir string, tree hashes) {
	err := filepath.WalkDir(filepath.Join(dir, "tile"), func(file string, found fs.DirEntry, err error) error {
		if err != nil || found.IsDir() {
			return err
		}
		path, _ := filepath.Rel(dir, file)
		if !strings.HasPrefix(path, "tile/entries/") {
			tile, err := tlog.ParseTilePath(strings.Replace(path, "tile/", fmt.Sprintf("tile/%d/", height), 1))
			check(err, "%s is no tile", path)
			checkTile(dir, tile, tree)
		}
		return nil
	})
	check(err, "the tiles cannot be listed")
}

func checkRoot(checkpoint tlog.Tree, tree hashes, file string) {
	root, err := tlog.TreeHash(checkpoint.N, tree)
	check(err, "there are no %d entries, as %s says", checkpoint.N, file)
	if root != checkpoint.Hash {
		end("the root of %d entries is %v, and %s says %v", checkpoint.N, root, file, checkpoint.Hash)
	}
}

func checkInclusion(checkpoint tlog.Tree, leaves []tlog.Hash, tree hashes) {
	for index, leaf := range leaves {
		proof, err := tlog.ProveRecord(checkpoint.N, int64(index), tree)
		check(err, "no proof of entry %d", index)
		err = tlog.CheckRecord(proof, checkpoint.N, checkpoint.Hash, int64(index), leaf)
		check(err, "entry %d is not in the tree", index)
	}
}

func checkOlder(file string, newest tlog.Tree, tree hashes) {
	older := open(file)
	if older.N > newest.N {
		end("%s has %d entries, more than the newest one's %d", file, older.N, newest.N)
	}
	checkRoot(older, tree, file)
	proof, err := tlog.ProveTree(newest.N, older.N, tree)
	check(err, "no proof that %s came before", file)
	check(tlog.CheckTree(proof, newest.N, newest.Hash, older.N, older.Hash), "%s is of another log", file)
}

func check(err error, format string, values ...any) {
	if err != nil {
		end(format+": %v", append(values, err)...)
	}
}

func end(format string, values ...any) {
	fmt.Printf("Refused: "+format+".\n", values...)
	os.Exit(1)
}
