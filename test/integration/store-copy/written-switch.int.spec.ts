import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectEventStore } from '#event-store/connect';
import type { LedgerStore } from '#event-store';
import { CliError } from '../../../apps/cli/src/cli-error.js';
import { compareStores } from '../../../apps/cli/src/store/copy/compare-stores.js';
import type { CopiedStores } from '../../../apps/cli/src/store/copy/copy-windows.js';
import { toReport } from '../../../apps/cli/src/store/copy/copy-report.js';
import { switchLedger } from '../../../apps/cli/src/store/copy/ledger-switch.js';
import { findSwitched } from '../../../apps/cli/src/store/copy/moved-ledger.js';
import { StoreCopy } from '../../../apps/cli/src/store/copy/store-copy.js';
import { switchStreams } from '../../../apps/cli/src/store/copy/switch-over.js';
import { added, RestartableStore } from '../event-store/support.js';

const observer = { begins: () => undefined, wrote: () => undefined };
const { signal } = new AbortController();
const WRITTEN = 'counter-3f.written';

let places: readonly [RestartableStore, RestartableStore];
beforeAll(async () => {
  places = [await RestartableStore.start(), await RestartableStore.start()];
});
afterAll(async () => {
  for (const place of places) await place.remove();
});

/** A ledger of its own in both stores, and a program that writes to it until it looks and sees that it was closed. */
class WrittenLedger {
  readonly stores: CopiedStores;
  acknowledged = 0;
  steps = 0;
  #isRunning = true;

  constructor(
    namespace: string,
    private readonly writesAt: (step: number) => boolean,
    private readonly looks = true,
  ) {
    const [source, target] = places.map(({ connectionString }) =>
      connectEventStore(connectionString, { namespace }),
    );
    this.stores = { source: source!, target: target! };
  }

  /** Both stores, where each call is a step, before which the program may write. */
  get watched(): CopiedStores {
    const watch = <T extends object>(place: T): T =>
      new Proxy(place, {
        get: (_, name) => {
          const found = Reflect.get(place, name) as unknown;
          if (name === 'namespaces' || name === 'verbatim') return watch(found as object);
          if (typeof found !== 'function') return found;
          const isStream = name === 'follow' || (name === 'readStream' && 'verbatim' in place);
          if (isStream) return this.#before(found.bind(place) as Stream);
          return async (...args: unknown[]) => {
            await this.#step();
            return found.apply(place, args) as unknown;
          };
        },
      });
    return { source: watch(this.stores.source), target: watch(this.stores.target) };
  }

  async switch(): Promise<boolean> {
    const stores = this.watched;
    const identity = await findSwitched(stores);
    const copy = await StoreCopy.begin(stores, identity, observer);
    const leftOut = switchStreams(identity);
    const { isSwitched } = await switchLedger({
      ...{ stores, copy },
      compare: async (upTo) => {
        const { namespace } = identity;
        const found = await compareStores({ ...stores, namespace, upTo, signal, leftOut });
        return toReport(identity, 0, found);
      },
      pause: async () => {
        await this.#step();
        // By the end of a pause a program has looked.
        if (this.looks) await this.stores.source.namespaces.require().catch(() => this.#end());
      },
    });
    return isSwitched;
  }

  async dispose(): Promise<void> {
    await this.stores.source.dispose();
    await this.stores.target.dispose();
  }

  async #step(): Promise<void> {
    this.steps += 1;
    if (!this.#isRunning || !this.writesAt(this.steps)) return;
    await this.stores.source.append(WRITTEN, 'any', [added()]);
    this.acknowledged += 1;
  }

  #before(read: Stream): Stream {
    const step = () => this.#step();
    return async function* (...args) {
      await step();
      yield* read(...args);
    };
  }

  #end(): void {
    this.#isRunning = false;
  }
}
type Stream = (...args: unknown[]) => AsyncGenerator;

async function countWritten(store: LedgerStore): Promise<number> {
  return (await store.headRevision(WRITTEN)) + 1;
}

const isOpen = async (store: LedgerStore) => (await store.namespaces.find())?.movedTo === undefined;

it('has all that the source acknowledged, whenever a program writes that has not looked yet', async () => {
  let steps = Infinity;
  const outcomes = { switched: 0, refused: 0, written: 0 };
  for (let at = 0; at <= steps; at += 1) {
    const ledger = new WrittenLedger(`w${at}`, (step) => step === at);
    const { source, target } = ledger.stores;
    await source.namespaces.open(1);
    await source.append('counter-00.first', 'no_stream', [added()]);
    try {
      expect([at, await ledger.switch()]).toEqual([at, true]);
      expect([at, await countWritten(target)]).toEqual([at, ledger.acknowledged]);
      outcomes.switched += 1;
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      expect(error.message).toMatch(/^The source is still written to: stop its programs/);
      expect([await isOpen(source), await target.namespaces.find()]).toEqual([true, undefined]);
      outcomes.refused += 1;
    }
    outcomes.written += ledger.acknowledged;
    // Without a write in between: the steps of the next ones are the same up to theirs.
    if (at === 0) ({ steps } = ledger);
    await ledger.dispose();
  }
  expect(outcomes.refused).toBeGreaterThan(0);
  // The program wrote after the closing as well, until it looked.
  expect(outcomes.written).toBeGreaterThan(outcomes.refused);
  expect(outcomes.switched).toBeGreaterThan(outcomes.refused);
});

it('is refused, with the source closed, while something writes that never looks', async () => {
  let isStray = false;
  const ledger = new WrittenLedger('stray', () => isStray, false);
  const { source, target } = ledger.stores;
  await source.namespaces.open(1);
  const moveAway = source.namespaces.moveAway.bind(source.namespaces);
  source.namespaces.moveAway = async (to) => {
    await moveAway(to);
    isStray = true;
  };
  await expect(ledger.switch()).rejects.toThrow('is closed, and is still written to');
  expect(await target.namespaces.find()).toBeUndefined();
  source.namespaces.moveAway = moveAway;
  isStray = false;
  expect(await ledger.switch()).toBe(true);
  expect(await countWritten(target)).toBe(ledger.acknowledged);
  await ledger.dispose();
});
