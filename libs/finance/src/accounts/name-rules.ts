/** The programs that read a journal as text. */
export const JOURNAL_FORMATS = ['hledger', 'ledger', 'beancount'] as const;
export type JournalFormat = (typeof JOURNAL_FORMATS)[number];

/** Single spaces alone: two of them end an account's name, and brackets, semicolons and signs have meanings. */
const PART = /^[\p{L}\p{Nd}](?: ?[\p{L}\p{Nd}._-])*$/u;
/** A part of a beancount account. */
const BEANCOUNT_PART = /^[\p{Lu}\p{Nd}][\p{L}\p{Nd}-]*$/u;
const BEANCOUNT_ROOTS: readonly string[] = [
  'Assets',
  'Liabilities',
  'Equity',
  'Income',
  'Expenses',
];

/** Why a program does not take the name of an account; null where it does. */
export function judgeName(name: string, format: JournalFormat): string | null {
  const [root = '', ...others] = name.split(':');
  if (format !== 'beancount') {
    const isGood = [root, ...others].every((part) => PART.test(part));
    return isGood
      ? null
      : 'has parts of letters, digits, single spaces, ".", "_" and "-", with ":" between';
  }
  if (!BEANCOUNT_ROOTS.includes(root)) return `begins with one of ${BEANCOUNT_ROOTS.join(', ')}`;
  if (others.length > 0 && others.every((part) => BEANCOUNT_PART.test(part))) return null;
  return 'has parts of letters, digits and hyphens that begin with a capital or a digit, with ":" between';
}
