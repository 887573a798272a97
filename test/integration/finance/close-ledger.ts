import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { BooksKeeper, BooksReader } from '#books';
import { financeAggregate, type FinancePolicy } from '#domain/finance';
import { createCommandExecutor, type LedgerStore } from '#event-store';
import {
  approveClose,
  type CloseMeans,
  closePeriod,
  countClose,
  type FinanceApp,
  readCloses,
  restateClose,
  verifyCloses,
  type WithBooks,
} from '#finance';
import { sealNow } from '#sealing';
import { Purchases } from '../books/purchases.js';
import { SealedLedger } from '../sealing/support.js';

const APP = 'app_1';
const AT_HOME = { by: 'cli:ann', reason: 'Month end.' };

/** A ledger with purchases of an app, whose months are closed. */
export class CloseLedger {
  readonly purchases: Purchases;
  readonly folder = mkdtempSync(path.join(tmpdir(), 'subledger-close-'));

  private constructor(readonly ledger: SealedLedger) {
    this.purchases = new Purchases(ledger.store);
  }

  static async start(): Promise<CloseLedger> {
    return new CloseLedger(await SealedLedger.start());
  }

  /** The app by its clock. */
  app(now = '2026-02-02T10:00:00.000Z', store: LedgerStore = this.ledger.store): FinanceApp {
    const about = { appId: APP, environment: 'test', actor: 'cli', correlationId: 'c' } as const;
    const commands = createCommandExecutor(this.ledger.store, { cacheSize: 0 });
    return { appId: APP, store, commands, context: { ...about, now } };
  }

  /** How often books were opened. */
  opened = 0;
  readonly withBooks: WithBooks = (reading, use) => {
    this.opened += 1;
    return BooksReader.by({ folder: this.folder })(reading, use);
  };

  async seal() {
    const checkpoint = await sealNow(this.ledger.sealing);
    if (checkpoint === undefined) throw new Error('nothing is sealed');
    return checkpoint;
  }

  close(period: string, { now = '2026-12-01T10:00:00.000Z', ...means }: Closing = {}) {
    const app = this.app(now);
    const sources = { app, withBooks: this.withBooks, seal: () => this.seal() };
    return closePeriod(
      app,
      { period, ...AT_HOME },
      {
        findParked: async () => [],
        findDifferences: async () => [],
        count: (counted) => countClose(sources, counted),
        ...means,
      },
    );
  }

  approve(period: string, by: string) {
    return approveClose(this.app(), { period, by, reason: 'Looked through.' });
  }

  async setPolicy(policy: Partial<FinancePolicy>, from = '2026-01-01'): Promise<void> {
    const { commands, context } = this.app();
    const whole = { zone: 'UTC', itemClasses: [], approval: false, ...policy };
    const command = { kind: 'SetPolicy', ...whole, from, reason: 'So it is.' } as const;
    await commands.execute(financeAggregate, APP, command, context);
  }

  closes() {
    return readCloses(this.app());
  }

  /** The differences of each close. @param store an altered one. */
  async verify(store?: LedgerStore, withBooks = this.withBooks) {
    const verified = await verifyCloses(this.app(undefined, store), 'all', withBooks);
    return verified.map(({ differences }) => differences);
  }

  restate(period: string) {
    return restateClose(this.app(), period, this.withBooks);
  }

  /** The differences of each close from the reports as the files of the books give them. */
  verifyFiles() {
    const withFiles: WithBooks = (reading, use) => {
      const { folder } = this;
      return BooksReader.with({ ...reading, folder }, async (books) => {
        expect(books.closedThrough >= '2026-01').toBe(true);
        return use(books);
      });
    };
    return this.verify(undefined, withFiles);
  }

  /** Writes the files of the books. */
  async keep(): Promise<void> {
    const { store } = this.ledger;
    const keeper = new BooksKeeper({ store, folder: this.folder, intervalMs: 0 });
    await keeper.keep();
    keeper.end();
  }

  async remove(): Promise<void> {
    await this.ledger.remove();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

interface Closing extends Partial<CloseMeans> {
  readonly now?: string;
}
