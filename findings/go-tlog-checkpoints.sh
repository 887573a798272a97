#!/usr/bin/env bash
# Behaviour: ParseTree of Go's tlog reads a tree's description only where its first line is "go.sum database tree". The text
#   of a C2SP checkpoint, which has the same three lines and the log's own origin as the first, is refused as malformed,
#   although Go's note package opens the note around it.
# Guess before the run: the format that C2SP took over from it is read with any origin.
# Why it matters here: "verify it by Go's library" holds for notes, hashes and proofs, and not for the text of a
#   checkpoint: an auditor's program splits its three lines by itself, as our test's program does.
# Version and source: golang.org/x/mod 0.7.0 (golang-golang-x-mod-dev of Debian 12, Go 1.19); found while exported ledgers
#   were verified by it.
set -euo pipefail
command -v go >/dev/null || { echo "Install golang-go first." >&2; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download --quiet=2 golang-golang-x-mod-dev >/dev/null 2>&1 ||
  { echo "This needs the packages of Debian 12." >&2; exit 1; }
dpkg-deb --field golang-golang-x-mod-dev_*.deb Package Version
dpkg-deb --extract golang-golang-x-mod-dev_*.deb package
cat >run.go <<'GO'
package main

import (
	"crypto/rand"
	"fmt"
	"os"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const root = "nND/nri/U0xuHUrYSy0HtMeal2vzD9V4k/BO79C+QeI="

// Signs a text with a new key of this name, opens the note, and reads the tree of its text.
func read(name, text string) error {
	secret, public, err := note.GenerateKey(rand.Reader, name)
	must(err)
	signer, err := note.NewSigner(secret)
	must(err)
	verifier, err := note.NewVerifier(public)
	must(err)
	signed, err := note.Sign(&note.Note{Text: text}, signer)
	must(err)
	opened, err := note.Open(signed, note.VerifierList(verifier))
	must(err)
	_, err = tlog.ParseTree([]byte(opened.Text))
	return err
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	own := read("sum.example", "go.sum database tree\n2\n"+root+"\n")
	other := read("log.example/ledger", "log.example/ledger\n2\n"+root+"\n")
	fmt.Println("go.sum database tree:", own)
	fmt.Println("log.example/ledger:", other)
	if own != nil || other == nil {
		fmt.Fprintln(os.Stderr, "The behaviour has changed.")
		os.Exit(1)
	}
}
GO
GO111MODULE=off GOFLAGS= GOPATH="$folder/package/usr/share/gocode" GOCACHE="$folder/cache" go run run.go
