import type { Day } from '#domain/bookkeeping';
import { printAmount, printNumber } from './amounts.js';
import type { AccountBalance, Dialect, Posting, Tag } from './dialect.js';

const DAY_MS = 86_400_000;

/**
 * beancount 2.3.5 checks a balance at the beginning of its day, with all accounts below the one that is named, and takes
 * one that is off by one minor unit unless the tolerance is named, too.
 */
export const beancount: Dialect = {
  addsUpBelow: true,
  printHead: ({ currencies, names, firstDay }) =>
    [
      currencies.map((currency) => `${firstDay} commodity ${currency}\n`).join(''),
      names.map((name) => `${firstDay} open ${name}\n`).join(''),
    ].join('\n'),
  printTransaction: ({ day, description, tags, postings }) =>
    `\n${day} * "${description}"\n${printTags('  ', tags)}${postings.map(printPosting).join('')}`,
  printBalances: (day, balances) =>
    `\n${balances.map((balance) => printBalance(nextDay(day), balance)).join('')}`,
};

function printPosting({ name, amountMinor, currency, tags }: Posting): string {
  return `  ${name}  ${printAmount(amountMinor, currency)}\n${printTags('    ', tags)}`;
}

function printTags(indent: string, tags: readonly Tag[]): string {
  return tags.map(([name, text]) => `${indent}${name}: "${text}"\n`).join('');
}

function printBalance(day: Day, { name, currency, balanceMinor }: AccountBalance): string {
  const exactly = `~ ${printAmount(0n, currency)}`;
  return `${day} balance ${name}  ${printNumber(balanceMinor, currency)} ${exactly}\n`;
}

function nextDay(day: Day): Day {
  return new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
}
