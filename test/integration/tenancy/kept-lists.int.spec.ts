import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { endpointListAggregate } from '#domain/endpoint-list';
import { EVENT_TYPES } from '#domain/event-types';
import { ledgerUpgradeAggregate } from '#domain/ledger-upgrade';
import {
  type CommandExecutor,
  createCommandExecutor,
  type EventStore,
  eventsToAppend,
  type LedgerStore,
  type NamespaceIdentity,
} from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { Fault, newAppId, sleep, wallClock } from '#platform';
import { keepEndpointsListed, ListedPlace, listEndpointsOnce } from '#tenancy';
import { eventually } from '../../support/eventually.js';
import { RestartableStore } from '../event-store/support.js';
import { contextFor, counted, createUnlisted, NOW, silent } from './support.js';

const PLACE = 'ledger_upgrade-endpoint_lists_place';
const HOUR_MS = 3_600_000;
let server: RestartableStore;
let strict: LedgerStore;
let others: LedgerStore;
let commands: CommandExecutor;
let identity: NamespaceIdentity;

beforeAll(async () => {
  server = await RestartableStore.start();
  strict = connectEventStore(server.connectionString, { knownTypes: EVENT_TYPES });
  others = connectEventStore(server.connectionString);
  identity = await others.namespaces.open(1);
  commands = createCommandExecutor(others, { cacheSize: 0 });
});
afterAll(async () => {
  await strict.dispose();
  await others.dispose();
  await server.remove();
});

const around = (store: EventStore) => ({
  ...{ store, commands: createCommandExecutor(store), identity, clock: wallClock, log: silent },
});
const readList = async (appId: string) =>
  (await commands.load(endpointListAggregate, appId)).state.endpointIds;
const countNotes = async () => (await others.headRevision(PLACE)) + 1;

async function findPlace(): Promise<string> {
  for await (const { data } of others.readStream(PLACE, { backwards: true, maxCount: 1 }))
    return (data as { upTo: string }).upTo;
  return '';
}

/** As a worker does beside its work, while something else goes on. */
async function keepListed(
  until: () => Promise<unknown>,
  { store = strict, everyMs = HOUR_MS }: { store?: EventStore; everyMs?: number } = {},
) {
  const stop = new AbortController();
  const kept = keepEndpointsListed({ ...around(store), signal: stop.signal, everyMs });
  try {
    await until();
  } finally {
    stop.abort();
    await kept;
  }
}

/** Until it has looked whether anything is missing, and has looked again since. */
async function lookAFewTimes() {
  let looks = 0;
  const { store } = counted(strict);
  const headPosition = () => ((looks += 1), store.headPosition());
  const untilLooked = () => eventually(() => looks > 3, { what: 'a few looks' });
  await keepListed(untilLooked, { store: { ...store, headPosition }, everyMs: 5 });
}

const untilPlace = (upTo: string) => () =>
  eventually(async () => (await findPlace()) >= upTo, { what: 'a place' });
const untilListed = (appId: string, ids: readonly string[]) => () =>
  eventually(async () => isEqual(await readList(appId), ids), { what: 'a list' });
const isEqual = (left: readonly string[], right: readonly string[]) => left.join() === right.join();

/** An event of a newer release at the end of a stream. */
async function appendNewer(streamName: string, type: string, appId: string) {
  const written = eventsToAppend([{ type, data: {} }], contextFor(appId), NOW);
  await others.append(streamName, 'any', written);
}

describe('a ledger whose upgrade is over', () => {
  it('is read on from the place that an earlier release noted in the upgrade itself', async () => {
    await createUnlisted(commands, newAppId(NOW));
    // Before the upgrade is over, no place says that it was.
    await lookAFewTimes();
    expect(await countNotes()).toBe(0);
    await listEndpointsOnce({ ...around(strict), signal: new AbortController().signal });
    const before = await createUnlisted(commands, newAppId(NOW));
    const at = { layoutId: identity.layoutId, upTo: before.position };
    const advance = { kind: 'AdvanceUpgrade', at } as const;
    await commands.execute(ledgerUpgradeAggregate, 'endpoint_lists', advance, contextFor(''));
    const made = await createUnlisted(commands, newAppId(NOW));
    const { store, count } = counted(strict);
    await keepListed(untilPlace(made.position), { store });
    expect(count.delivered).toBe(1);
  });

  it('has endpoints of an older release that the next start lists, reading on from the last note', async () => {
    const appId = newAppId(NOW);
    const { endpointId, position } = await createUnlisted(commands, appId);
    // The last note was made just now, so that this start leaves the place where it is.
    await keepListed(untilListed(appId, [endpointId]));
    const { store, count } = counted(strict);
    await keepListed(untilPlace(position), { store, everyMs: 20 });
    expect(count.delivered).toBe(1);
  });

  it('is noted to have none that is missing, again and again while a worker runs', async () => {
    await keepListed(
      async () => {
        for (let n = 0; n < 3; n += 1) {
          const { position } = await createUnlisted(commands, newAppId(NOW));
          await untilPlace(position)();
        }
      },
      { everyMs: 20 },
    );
  });

  it('keeps one note, and gets none where nothing but notes lies behind the place', async () => {
    const notes = await countNotes();
    expect(notes).toBeGreaterThan(3);
    await lookAFewTimes();
    expect(await countNotes()).toBe(notes);
    let kept = 0;
    for await (const _ of others.readStream(PLACE)) kept += 1;
    expect(kept).toBe(1);
  });

  it('gets no note where another worker has noted one within the time', async () => {
    const notes = await countNotes();
    const appId = newAppId(NOW);
    const { endpointId } = await createUnlisted(commands, appId);
    await keepListed(async () => {
      await untilListed(appId, [endpointId])();
      await sleep(50);
    });
    expect(await countNotes()).toBe(notes);
  });

  it('has a place that many may note at once, and that never moves back', async () => {
    await createUnlisted(commands, newAppId(NOW));
    const later = [
      await others.headPosition(),
      (await createUnlisted(commands, newAppId(NOW))).position,
    ];
    await Promise.all(later.map((upTo) => new ListedPlace(around(strict)).note(upTo)));
    const place = await findPlace();
    expect(later).toContain(place);
    await new ListedPlace(around(strict)).note('00000000000000000001');
    expect(await findPlace()).toBe(place);
  });

  it('is noted again where the last note is of a clock that was far ahead', async () => {
    const isNoted = (now: string) =>
      new ListedPlace({ ...around(strict), clock: { now: () => now } }).isNotedWithin(HOUR_MS);
    expect(await isNoted(wallClock.now())).toBe(true);
    expect(await isNoted('2020-01-01T00:00:00.000Z')).toBe(false);
    expect(await isNoted('2120-01-01T00:00:00.000Z')).toBe(false);
  });

  it('is known to be so by one event', async () => {
    const read: string[] = [];
    const { store } = counted(strict);
    const readStream: EventStore['readStream'] = (name, options) => {
      read.push(name);
      return store.readStream(name, options);
    };
    const watched = { ...store, readStream };
    const once = { ...around(watched), signal: new AbortController().signal };
    expect(await listEndpointsOnce(once)).toBe(false);
    expect(read).toEqual([PLACE]);
  });

  it('is looked through within seconds after a hiccup of the store', async () => {
    const appId = newAppId(NOW);
    const { endpointId } = await createUnlisted(commands, appId);
    const { store } = counted(strict);
    let hiccups = 1;
    const headPosition = async () => {
      if (hiccups-- > 0) throw new Fault('unavailable', 'a hiccup', { retryable: true });
      return store.headPosition();
    };
    await keepListed(untilListed(appId, [endpointId]), { store: { ...store, headPosition } });
  });
});

describe('what a newer release has written', () => {
  it('leaves one endpoint unlisted and no other of its app, and the place before it', async () => {
    const appId = newAppId(NOW);
    const made = [];
    for (let n = 0; n < 3; n += 1) made.push(await createUnlisted(commands, appId));
    const [unreadable, ...rest] = made.map(({ endpointId }) => endpointId);
    await appendNewer(`webhook_endpoint-${unreadable}`, 'webhook_endpoint.shelved.v9', appId);
    await keepListed(
      async () => {
        await untilListed(appId, rest)();
        await sleep(100);
      },
      { everyMs: 5 },
    );
    expect((await findPlace()) < made[0]!.position).toBe(true);
  });

  it('may be the list of an app: those of others are listed', async () => {
    const [appId, other] = [newAppId(NOW), newAppId(NOW)];
    await appendNewer(`endpoint_list-${appId}`, 'endpoint_list.shelved.v9', appId);
    await createUnlisted(commands, appId);
    const { endpointId } = await createUnlisted(commands, other);
    await keepListed(untilListed(other, [endpointId]));
  });

  it('is listed by the release that can read it, from the place on', async () => {
    const appId = newAppId(NOW);
    const { endpointId, position } = await createUnlisted(commands, appId);
    await keepListed(untilPlace(position), { store: others, everyMs: 5 });
    expect(await readList(appId)).toEqual([endpointId]);
  });
});
