import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  backupStream,
  DELIVERY_CHECKPOINT_RECORDED,
  pageBackup,
  readBackup,
} from '#checkpoint-backup';
import { connectEventStore } from '#event-store/connect';
import type { LedgerStore, NamespaceIdentity } from '#event-store';
import { newUuid } from '#platform';
import { CopyLog } from '../../../apps/cli/src/store/copy/copy-log.js';
import { StoreCopy } from '../../../apps/cli/src/store/copy/store-copy.js';
import { switchOver } from '../../../apps/cli/src/store/copy/switch-over.js';
import { added, RestartableStore } from '../event-store/support.js';

const PARTITIONS = 2;
const IN_FLIGHT = 3;
const { signal } = new AbortController();
const observer = { begins: () => undefined, wrote: () => undefined };

const stores: RestartableStore[] = [];
const ledgers: LedgerStore[] = [];
let source: LedgerStore;
let identity: NamespaceIdentity;

async function startLedger(): Promise<LedgerStore> {
  const store = await RestartableStore.start();
  stores.push(store);
  const ledger = connectEventStore(store.connectionString);
  ledgers.push(ledger);
  return ledger;
}

/** A worker has stopped here: it is at the head, and names what is in flight. */
async function backUp(partition: number): Promise<void> {
  const inFlight = new Map<string, null>();
  for (let n = 0; n < IN_FLIGHT; n += 1) {
    const streamName = `counter-${partition}${n}`;
    const { revision, position } = await source.append(streamName, 'no_stream', [added()]);
    inFlight.set(`${position} end_1 ${streamName} ${revision} subscription.created`, null);
  }
  const position = await source.headPosition();
  const [record] = pageBackup(
    { position, inFlight, parked: new Map(), exhausted: new Map(), cursors: new Map() },
    10,
  );
  const event = { ...added(), id: newUuid(), type: DELIVERY_CHECKPOINT_RECORDED, data: record };
  await source.append(backupStream(identity.layoutId, partition), 'no_stream', [event]);
}

beforeAll(async () => {
  source = await startLedger();
  identity = await source.namespaces.open(PARTITIONS);
  for (let partition = 0; partition < PARTITIONS; partition += 1) await backUp(partition);
});
afterAll(async () => {
  for (const ledger of ledgers) await ledger.dispose();
  for (const store of stores) await store.remove();
});

/** A target whose program is killed at one of its writes. */
function killedAt(target: LedgerStore, write: number): LedgerStore {
  let left = write;
  return new Proxy(target, {
    get: (_, name) => {
      if (name === 'append') {
        return async (...args: Parameters<LedgerStore['append']>) => {
          if (left === 0) throw new Error('killed');
          left -= 1;
          return target.append(...args);
        };
      }
      return Reflect.get(target, name) as unknown;
    },
  });
}

/** What workers find in the target, by partition: how far they are, and the streams of what is in flight. */
async function readBackups(target: LedgerStore, { layoutId }: NamespaceIdentity) {
  const found = [];
  for (let partition = 0; partition < PARTITIONS; partition += 1) {
    const { backup } = await readBackup(target, backupStream(layoutId, partition));
    const { position = '', inFlight = new Map() } = backup ?? {};
    const members = [...inFlight.keys()].map((member: string) => member.split(' '));
    expect(members.every(([at = '']) => at !== '' && at <= position)).toBe(true);
    // A copy keeps the order within a bucket, and not between two of them (decision 0089).
    const byStream = ([, left = '']: string[], [, right = '']: string[]) =>
      left < right ? -1 : Number(left > right);
    found.push(members.map(([, ...others]) => others).sort(byStream));
  }
  return found;
}

it('leaves the target closed wherever it is killed, and the next one makes it the same ledger', async () => {
  const target = await startLedger();
  const copy = await StoreCopy.begin({ source, target }, observer);
  await copy.catchUp(signal);
  let kills = 0;
  for (let moved: NamespaceIdentity | undefined; moved === undefined; kills += 1) {
    const attempt = switchOver({ source, target: killedAt(target, kills) }, identity);
    moved = await attempt.catch((error: unknown) => {
      expect(error).toEqual(new Error('killed'));
      return undefined;
    });
    const isOpen = (await target.namespaces.list()).length > 0;
    expect({ kills, isOpen }).toEqual({ kills, isOpen: moved !== undefined });
    if (moved === undefined) continue;
    expect(moved).toMatchObject({ storeId: identity.storeId, partitions: PARTITIONS });
    expect(await readBackups(target, moved)).toEqual(await readBackups(source, identity));
  }
  // The limits and the records of both partitions.
  expect(kills).toBeGreaterThan(PARTITIONS);
});

it('is refused where a worker has not worked since the ledger was divided anew', async () => {
  const target = await startLedger();
  await (await StoreCopy.begin({ source, target }, observer)).catchUp(signal);
  const dividedAnew = { ...identity, layoutId: 'another', before: identity };
  await expect(switchOver({ source, target }, dividedAnew)).rejects.toThrow(
    'No worker has worked on partition 0',
  );
  expect(await target.namespaces.list()).toEqual([]);
});

it('ends the one of two copies into a target that did not write last how far it is', async () => {
  const target = await startLedger();
  const [one, other] = [await CopyLog.open(target, identity), await CopyLog.open(target, identity)];
  const position = await source.headPosition();
  await one.advance(position);
  await expect(other.advance(position)).rejects.toThrow('Another copy of this namespace');
  expect((await CopyLog.open(target, identity)).sourcePosition).toBe(position);
});
