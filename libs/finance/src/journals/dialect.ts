import type { Day } from '#domain/bookkeeping';

/** A name and a text of our own: neither brackets, semicolons, commas nor colons. */
export type Tag = readonly [name: TagName, text: string];
export type TagName = 'ids' | 'leaf' | 'period' | 'effective' | 'late';

/** One debit (above zero) or credit (below it). */
export interface Posting {
  /** By its name in the format. */
  readonly name: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly tags: readonly Tag[];
}

/** The entries of one event, or its recognition for one period. */
export interface Transaction {
  readonly day: Day;
  readonly description: string;
  readonly tags: readonly Tag[];
  readonly postings: readonly Posting[];
}

/** The amount of a currency on an account behind the last transaction of a day. */
export interface AccountBalance {
  readonly name: string;
  readonly currency: string;
  readonly balanceMinor: bigint;
}

/** The head of a journal. */
export interface JournalHead {
  readonly currencies: readonly string[];
  readonly names: readonly string[];
  /** Of the first transaction. */
  readonly firstDay: Day;
}

/** How a program wants a journal to be written. */
export interface Dialect {
  /** Whether the balance of an account is that of the accounts below it, too. */
  readonly addsUpBelow: boolean;
  printHead(head: JournalHead): string;
  printTransaction(transaction: Transaction): string;
  printBalances(day: Day, balances: readonly AccountBalance[]): string;
}
