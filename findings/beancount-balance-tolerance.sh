#!/usr/bin/env bash
# Behaviour: bean-check takes `balance Assets:Bank 10.00 EUR` where the account holds 10.01: the tolerance of a balance is one
#   unit of its last digit, twice that of a transaction. With `~ 0.00` behind the number it is refused; an amount without
#   decimals, as of yen, is compared exactly in both forms.
# Guess before the run: an assertion with all digits of its currency is exact, or allows half of the last digit at most, as a
#   transaction does.
# Why it matters here: the journals that we write carry our totals as assertions; one that is a cent off would be taken as
#   proved. Ours name a tolerance of zero.
# Version and source: beancount 2.3.5 (Debian 12); found while exported journals were broken by one cent on purpose.
set -euo pipefail
command -v bean-check >/dev/null || { echo "Install beancount first." >&2; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
bean-check --version
# Whether a journal of one payment is taken with an assertion about its account.
judge() {
  cat >"$folder/journal.beancount" <<JOURNAL
2026-01-01 open Assets:Bank
2026-01-01 open Income:Sales
2026-01-02 * "sale"
  Assets:Bank  $1
  Income:Sales  -$1
2026-01-03 balance Assets:Bank  $2
JOURNAL
  if bean-check "$folder/journal.beancount" >"$folder/errors" 2>&1; then echo taken; else echo refused; fi
}
off=$(judge '10.01 EUR' '10.00 EUR')
exact=$(judge '10.01 EUR' '10.00 ~ 0.00 EUR')
yen=$(judge '11 JPY' '10 JPY')
echo "10.01 held, 10.00 asserted: $off"
echo "10.01 held, 10.00 ~ 0.00 asserted: $exact"
echo "11 yen held, 10 asserted: $yen"
if [ "$off $exact $yen" != 'taken refused refused' ]; then
  echo 'The behaviour has changed.' >&2
  exit 1
fi
