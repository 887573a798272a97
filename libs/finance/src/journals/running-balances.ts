import { assertDefect } from '#platform';
import type { AccountTotal } from '../totals.js';
import type { AccountBalance, Posting } from './dialect.js';

/** The balances of accounts by the transactions that were written, by their names in a format. */
export class RunningBalances {
  private readonly balances = new Map<string, AccountBalance>();
  private readonly touched = new Set<string>();

  /** @param addsUpBelow whether the balance of an account is that of the accounts below it, too. */
  constructor(
    names: Iterable<readonly [name: string, currency: string]>,
    private readonly addsUpBelow: boolean,
  ) {
    for (const [name, currency] of names) {
      this.balances.set(`${name}\n${currency}`, { name, currency, balanceMinor: 0n });
    }
  }

  /** @throws Defect where the account is none of those that were named. */
  add({ name, currency, amountMinor }: Posting): void {
    const key = `${name}\n${currency}`;
    const balance = this.balances.get(key);
    assertDefect(balance !== undefined, `${name} has ${currency} in rows and not in totals`);
    this.balances.set(key, { ...balance, balanceMinor: balance.balanceMinor + amountMinor });
    this.touched.add(key);
  }

  /** The balances that have changed since the last call. */
  takeChanged(): AccountBalance[] {
    const keys = [...this.touched].sort();
    this.touched.clear();
    return keys.map((key) => this.find(key));
  }

  /** @throws Defect where the balances are not those of a trial balance. */
  assertTotals(totals: Iterable<readonly [name: string, total: AccountTotal]>): void {
    const left = new Map([...this.balances].map(([key, { balanceMinor }]) => [key, balanceMinor]));
    for (const [name, { currency, debitMinor, creditMinor }] of totals) {
      const key = `${name}\n${currency}`;
      left.set(key, (left.get(key) ?? 0n) - debitMinor + creditMinor);
    }
    const wrong = [...left].find(([, difference]) => difference !== 0n);
    assertDefect(wrong === undefined, `rows do not come to their totals: ${wrong?.join(' by ')}`);
  }

  private find(key: string): AccountBalance {
    const own = this.balances.get(key);
    assertDefect(own !== undefined, `no balance of ${key}`);
    if (!this.addsUpBelow) return own;
    const below = [...this.balances.values()].filter(
      ({ name, currency }) => currency === own.currency && name.startsWith(`${own.name}:`),
    );
    return below.reduce(
      (sum, { balanceMinor }) => ({ ...sum, balanceMinor: sum.balanceMinor + balanceMinor }),
      own,
    );
  }
}
