#!/usr/bin/env bash
# Behaviour: ledger takes hledger's `commodity 1000.00 EUR` for the declaration of a commodity whose name is "1000.00 EUR", and
#   says nothing: EUR stays undeclared, which `--pedantic` alone refuses. And `format 1000. JPY`, which hledger demands for a
#   currency without decimals, ends the reading with a mistake in the name of the currency, while hledger refuses ledger's
#   `format 1000 JPY`. No line declares the yen for both.
# Guess before the run: the directive that both programs document has one form that both take.
# Why it matters here: one file for both has no declared yen; we write a journal for each, and `--strict --pedantic` finds
#   every account, currency and tag declared.
# Version and source: hledger 1.25 and ledger 3.3.0 (Debian 12); found while exported journals were checked by both.
set -euo pipefail
for program in hledger ledger; do
  command -v "$program" >/dev/null || { echo "Install $program first." >&2; exit 1; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
hledger --version
ledger --version | head -1
journal=$folder/journal
# Writes a journal with these lines in front.
write() {
  printf '%s\n' "$@" '' 'account assets' 'account income' '' '2026-01-02 sale' '    assets  10 JPY' '    income  -10 JPY' >"$journal"
}
by_hledger() { if hledger -f "$journal" check -s 2>&1; then echo 'hledger: taken'; else echo 'hledger: refused'; fi; }
by_ledger() {
  if ledger --args-only -f "$journal" --strict --pedantic balance 2>&1; then echo 'ledger: taken'; else echo 'ledger: refused'; fi
}
answers=
for lines in 'commodity 1000. JPY' $'commodity JPY\n    format 1000. JPY' $'commodity JPY\n    format 1000 JPY'; do
  echo "--- $lines"
  write "$lines"
  hledger_says=$(by_hledger)
  ledger_says=$(by_ledger)
  printf '%s\n' "$hledger_says" "$ledger_says"
  answers+="$(tail -1 <<<"$hledger_says"), $(tail -1 <<<"$ledger_says"); "
done
once='hledger: taken, ledger: refused; '
if [ "$answers" != "$once${once}hledger: refused, ledger: taken; " ]; then
  echo 'The behaviour has changed.' >&2
  exit 1
fi
