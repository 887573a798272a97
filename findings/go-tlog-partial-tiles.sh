#!/usr/bin/env bash
# Behaviour: NewTiles of Go's tlog names, for a tree that grew from nothing to n hashes, a partial tile of each width from 1
#   to n at the right edge of each level: up to 255 tiles where a reader of the new tree asks for one.
# Guess before the run: it names the full tiles and, for each level, one partial tile: the one of the new tree.
# Why it matters here: an export has one partial tile for each level (C2SP tlog-tiles asks for those of signed sizes alone).
#   An auditor's program that expects all tiles that NewTiles names finds files missing; ours filters the list.
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
	"fmt"
	"os"

	"golang.org/x/mod/sumdb/tlog"
)

func main() {
	changed := false
	for _, size := range []int64{3, 255, 256, 300} {
		full, partial := 0, 0
		for _, tile := range tlog.NewTiles(8, 0, size) {
			if tile.W == 256 {
				full++
			} else {
				partial++
			}
		}
		fmt.Printf("from 0 to %d leaves: %d full, %d partial tiles\n", size, full, partial)
		if size == 255 && partial != 255 {
			changed = true
		}
	}
	if changed {
		fmt.Fprintln(os.Stderr, "The behaviour has changed.")
		os.Exit(1)
	}
}
GO
GO111MODULE=off GOFLAGS= GOPATH="$folder/package/usr/share/gocode" GOCACHE="$folder/cache" go run run.go
