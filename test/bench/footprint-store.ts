/**
 * The space of a subscription with twelve payments in the event store: real programs sell subscriptions by a checkout,
 * charge them at the sandbox gateway, send their webhooks, and renew them eleven times by a test clock. Measured is by
 * how much the data directory of the embedded event store grows, all that happens on the way included: the sandbox's
 * books, the records of the checkpoint backup, indexes, space within pages. Only the steps of the test clock are taken
 * off again, as a share of the bytes: they belong to the app, and an app whose time is the wall clock's has none.
 */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { type AllStreamRecordedEvent, EventStoreDBClient, START } from '@eventstore/db-client';
import { progress } from './benchmark.js';
import { Purchases } from './purchases.js';
import { startReceiver } from './receiver.js';
import { Stage } from './stage.js';

/** The checkout pays the first period. */
const RENEWALS = 11;
/** Before anything is measured: a new file has parts that do not grow with its content. */
const WARM_UP = 10;

/** Bytes of all events of one type, for each subscription. */
export interface TypeFootprint {
  readonly count: number;
  readonly data: number;
  readonly metadata: number;
  /** The names of stream and type. */
  readonly names: number;
}

export interface StoreFootprint {
  /** On disk, for each subscription, without the steps of the test clock. */
  readonly bytes: number;
  readonly events: number;
  /** The bytes that any event store has to keep: names, data and metadata. */
  readonly content: number;
  /** On disk, for each subscription, the steps of the test clock included. */
  readonly withTestClock: number;
  readonly byType: Readonly<Record<string, TypeFootprint>>;
}

/** @param subscriptions how many to measure. */
export function measureStore(subscriptions: number): Promise<StoreFootprint> {
  return Stage.with(async (stage) => {
    const grown = await grow(stage, subscriptions);
    const types = await readTypes(stage.eventStoreUrl, grown.after);
    return summarize(grown.bytes, types, subscriptions);
  });
}

/** Sells and renews. @returns by how much the directory has grown, and after which event. */
async function grow(
  stage: Stage,
  subscriptions: number,
): Promise<{ bytes: number; after: bigint }> {
  const { client, dataDir, masterKey } = stage;
  const receiver = await startReceiver();
  stage.atEnd(() => receiver.close());
  for (const name of ['projector', 'worker']) await stage.start(name);
  const open = async () => {
    const purchases = await Purchases.open(client, masterKey, `${receiver.url}/`);
    stage.atEnd(() => purchases.close());
    return purchases;
  };
  await (await open()).buy(WARM_UP);
  // Another app: the subscriptions before stay as they are while its clock goes on.
  const measured = await open();
  const after = BigInt(await client.headPosition());
  const before = await measureDirectory(dataDir);
  progress(`selling ${subscriptions} subscriptions`);
  await measured.buy(subscriptions);
  progress(`renewing them ${RENEWALS} times`);
  await measured.passMonths(RENEWALS);
  return { bytes: (await measureDirectory(dataDir)) - before, after };
}

async function measureDirectory(directory: string): Promise<number> {
  const names = await readdir(directory, { recursive: true });
  const found = await Promise.all(names.map((name) => stat(path.join(directory, name))));
  const stats = found.filter((each) => each.isFile());
  return stats.reduce((sum, { size }) => sum + size, 0);
}

/** The bytes of events after a position, by their types. */
async function readTypes(url: string, after: bigint): Promise<Map<string, TypeFootprint>> {
  const raw = EventStoreDBClient.connectionString(url);
  const types = new Map<string, TypeFootprint>();
  for await (const { event } of raw.readAll({ fromPosition: START })) {
    if (event === undefined || event.position.commit <= after) continue;
    types.set(event.type, addUp(types.get(event.type), event));
  }
  await raw.dispose();
  return types;
}

function addUp(sum: TypeFootprint | undefined, event: AllStreamRecordedEvent): TypeFootprint {
  const { count, data, metadata, names } = sum ?? { count: 0, data: 0, metadata: 0, names: 0 };
  return {
    count: count + 1,
    data: data + Buffer.byteLength(JSON.stringify(event.data)),
    metadata: metadata + Buffer.byteLength(JSON.stringify(event.metadata)),
    names: names + event.streamId.length + event.type.length,
  };
}

function summarize(
  grown: number,
  types: ReadonlyMap<string, TypeFootprint>,
  subscriptions: number,
): StoreFootprint {
  const clock = [...types].filter(([type]) => type.startsWith('test_clock.'));
  const others = [...types].filter(([type]) => !type.startsWith('test_clock.'));
  const [all, ofClock] = [sumContent([...types]), sumContent(clock)];
  const each = (sum: number) => Math.round(sum / subscriptions);
  const byType = others
    .sort(([, left], [, right]) => sumContent([['', right]]) - sumContent([['', left]]))
    .map(([type, { count, data, metadata, names }]) => [
      type,
      {
        count: Number((count / subscriptions).toFixed(2)),
        ...{ data: each(data), metadata: each(metadata), names: each(names) },
      },
    ]);
  return {
    bytes: each(grown * (1 - ofClock / all)),
    events: Number(
      (others.reduce((sum, [, { count }]) => sum + count, 0) / subscriptions).toFixed(1),
    ),
    content: each(all - ofClock),
    withTestClock: each(grown),
    byType: Object.fromEntries(byType) as StoreFootprint['byType'],
  };
}

function sumContent(types: readonly (readonly [string, TypeFootprint])[]): number {
  return types.reduce((sum, [, { data, metadata, names }]) => sum + data + metadata + names, 0);
}
