#!/usr/bin/env bash
# Behaviour: `openssl pkeyutl -verify -rawin` of an Ed25519 signature calls a right signature "Signature Verification
#   Failure", exit code 1, where the text comes through a pipe: it wants the size of a file first, and its own error stands
#   beside that sentence on the other stream.
# Guess before the run: the text may come from standard input, as for every other digest, or the command says that it cannot.
# Why it matters here: an auditor who cuts the signed text out of a note by `head` and pipes it on believes that a sealed
#   ledger was forged. Our guide writes the text to a file first.
# Version and source: OpenSSL 3.0 (the script says which one ran); found while signed checkpoints were verified by it.
set -euo pipefail
command -v openssl >/dev/null || { echo "Install openssl first." >&2; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
openssl version
openssl genpkey -algorithm ed25519 -out key.pem
openssl pkey -in key.pem -pubout -out public.pem
printf 'log.example/ledger\n1\nnND/nri/U0xuHUrYSy0HtMeal2vzD9V4k/BO79C+QeI=\n' >text
openssl pkeyutl -sign -inkey key.pem -rawin -in text -out signature
verify=(openssl pkeyutl -verify -pubin -inkey public.pem -rawin -sigfile signature)
from_file=0 from_pipe=0
echo 'from a file:'
"${verify[@]}" -in text || from_file=$?
echo 'from a pipe:'
cat text | "${verify[@]}" 2>&1 || from_pipe=$?
if [ "$from_file" -ne 0 ] || [ "$from_pipe" -eq 0 ]; then
  echo 'The behaviour has changed.' >&2
  exit 1
fi
