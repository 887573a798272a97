import type { JournalFormat } from './name-rules.js';

/** An account as a customer's own books know it. */
export interface MappedAccount {
  /** The default name. */
  readonly account: string;
  /** Of the customer's chart of accounts, as text; empty where there is none. */
  readonly number: string;
  readonly names: Readonly<Record<JournalFormat, string>>;
}

/** The names of accounts in each format: default ones, but for those that a customer maps (rules/finance 22). */
export class AccountNames {
  private readonly mapped: ReadonlyMap<string, MappedAccount>;

  constructor(mapped: Iterable<MappedAccount> = []) {
    this.mapped = new Map([...mapped].map((each) => [each.account, each]));
  }

  /** An account by its default name. */
  find(account: string): MappedAccount {
    return this.mapped.get(account) ?? { account, number: '', names: defaultNames(account) };
  }
}

/** hledger and ledger take our names as they are; beancount wants capitals: `Liabilities:Tax-Payable:DE`. */
export function defaultNames(account: string): Readonly<Record<JournalFormat, string>> {
  const capitals = account.replace(/(?<=^|[:-])[a-z]/g, (letter) => letter.toUpperCase());
  return { hledger: account, ledger: account, beancount: capitals };
}
