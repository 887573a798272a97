import { decimalsOf } from '#domain/money';
import { printAmount } from './amounts.js';
import type { Dialect, Posting, Tag, TagName } from './dialect.js';

/** ledger's `--pedantic` wants tags to be declared; hledger passes over the lines. */
const TAGS: readonly TagName[] = ['ids', 'leaf', 'period', 'effective', 'late'];

/** hledger 1.25 wants the decimal point also where a currency has no decimals. */
export const hledger: Dialect = plainText(
  (currency) => `commodity ${sample(currency)} ${currency}\n`,
);

/** ledger 3.3 reads `commodity 1000.00 EUR` as a commodity of that whole name, and refuses a point without decimals. */
export const ledger: Dialect = plainText(
  (currency) =>
    `commodity ${currency}\n    format ${printAmount(sampleMinor(currency), currency)}\n`,
);

/** Both check an assertion against the one account, whatever stands below it. */
function plainText(printCommodity: (currency: string) => string): Dialect {
  return {
    addsUpBelow: false,
    printHead: ({ currencies, names }) =>
      [
        currencies.map(printCommodity).join(''),
        names.map((name) => `account ${name}\n`).join(''),
        TAGS.map((name) => `tag ${name}\n`).join(''),
      ].join('\n'),
    printTransaction: ({ day, description, tags, postings }) =>
      `\n${day} ${description}\n${printTags('    ', tags)}${postings.map(printPosting).join('')}`,
    printBalances: (day, balances) =>
      `\n${day} balances\n${balances
        .map(
          ({ name, currency, balanceMinor }) =>
            `    ${name}  ${printAmount(0n, currency)} = ${printAmount(balanceMinor, currency)}\n`,
        )
        .join('')}`,
  };
}

function printPosting({ name, amountMinor, currency, tags }: Posting): string {
  return `    ${name}  ${printAmount(amountMinor, currency)}\n${printTags('        ', tags)}`;
}

/** One on a line: a comma ends a tag of hledger and is a part of one of ledger. */
function printTags(indent: string, tags: readonly Tag[]): string {
  return tags.map(([name, text]) => `${indent}; ${name}: ${text}\n`).join('');
}

function sample(currency: string): string {
  const decimals = decimalsOf(currency);
  return `1000.${'0'.repeat(decimals)}`;
}

function sampleMinor(currency: string): bigint {
  return 1_000n * 10n ** BigInt(decimalsOf(currency));
}
