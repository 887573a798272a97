import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { endpointListAggregate } from '#domain/endpoint-list';
import { ledgerUpgradeAggregate } from '#domain/ledger-upgrade';
import { webhookEndpointAggregate } from '#domain/webhook-endpoint';
import {
  type CommandExecutor,
  createCommandExecutor,
  type EventStore,
  type LedgerStore,
  type NamespaceIdentity,
} from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { newAppId, wallClock } from '#platform';
import { type AppDirectory, listEndpointsOnce } from '#tenancy';
import { RestartableStore } from '../event-store/support.js';
import {
  contextFor,
  counted,
  createApp,
  createUnlisted,
  NOW,
  openDirectory,
  silent,
} from './support.js';

const LIMIT_MS = 30_000;
const closing = new AbortController();
let server: RestartableStore;
let own: LedgerStore;
let others: LedgerStore;
let commands: CommandExecutor;
let identity: NamespaceIdentity;

beforeAll(async () => {
  server = await RestartableStore.start();
  own = connectEventStore(server.connectionString);
  others = connectEventStore(server.connectionString);
  identity = await others.namespaces.open(1);
  commands = createCommandExecutor(others, { cacheSize: 0 });
});
afterAll(async () => {
  closing.abort();
  await own.dispose();
  await others.dispose();
  await server.remove();
});

const readList = async (appId: string) =>
  (await commands.load(endpointListAggregate, appId)).state.endpointIds;

async function remove(endpointId: string, appId: string): Promise<string> {
  const command = { kind: 'DeleteWebhookEndpoint', now: NOW } as const;
  const context = contextFor(appId);
  const deleted = await commands.execute(webhookEndpointAggregate, endpointId, command, context);
  return (deleted.accepted && deleted.position) || '';
}

async function list(appId: string, endpointIds: readonly string[], gone: readonly string[] = []) {
  const command = { kind: 'ListEndpoints', endpointIds, gone } as const;
  const context = contextFor(appId);
  const listed = await commands.execute(endpointListAggregate, appId, command, context);
  return (listed.accepted && listed.position) || '';
}

describe('a ledger of a release that listed no endpoints', () => {
  const [many, none] = [newAppId(NOW), newAppId(NOW)];
  const there: string[] = [];
  const run = (
    store: EventStore = own,
    signal = closing.signal,
    onProgress?: (share: number) => void,
  ) =>
    listEndpointsOnce({
      ...{ store, commands: createCommandExecutor(store), identity, clock: wallClock },
      ...{ signal, log: silent, ...(onProgress && { onProgress }) },
    });

  beforeAll(async () => {
    for (let n = 0; n < 3; n += 1) there.push((await createUnlisted(commands, many)).endpointId);
    await remove((await createUnlisted(commands, many)).endpointId, many);
    await remove((await createUnlisted(commands, none)).endpointId, none);
  });

  it('goes on where it was ended, and begins anew where the store was divided anew', async () => {
    const before = await createUnlisted(commands, none);
    const at = { layoutId: identity.layoutId, upTo: before.position };
    const context = contextFor('');
    const advance = { kind: 'AdvanceUpgrade', at } as const;
    await commands.execute(ledgerUpgradeAggregate, 'endpoint_lists', advance, context);
    const stop = new AbortController();
    const { store, count } = counted(own);
    const shares: number[] = [];
    // It is ended before it is through: the store has more to come, and nothing is completed.
    const ended = run(store, stop.signal);
    stop.abort();
    await ended;
    expect((await commands.load(ledgerUpgradeAggregate, 'endpoint_lists')).state.isCompleted).toBe(
      false,
    );
    expect(count.delivered).toBe(0);
    expect(await readList(many)).toEqual([]);
    identity = { ...identity, layoutId: `${identity.layoutId}9` };
    expect(await run(own, closing.signal, (share) => shares.push(share))).toBe(true);
    expect(await readList(many)).toEqual(there);
    expect(await readList(none)).toEqual([before.endpointId]);
    expect(Math.max(...shares)).toBeLessThanOrEqual(1);
  });

  it('is read through once in its life', async () => {
    const { store, count } = counted(own);
    expect(await run(store)).toBe(false);
    expect(count.subscriptions).toBe(0);
  });
});

describe('the endpoints of an app', () => {
  let directory: AppDirectory;
  let other: AppDirectory;
  let appId: string;
  const ids = async (from = directory) =>
    (await from.listEndpoints(appId)).map(({ endpointId }) => endpointId);

  beforeAll(async () => {
    [directory, other] = [
      await openDirectory(own, closing.signal),
      await openDirectory(others, closing.signal),
    ];
    appId = newAppId(NOW);
    await createApp(commands, appId);
  });

  it('are those that are there, of all that are listed: a crash between the two acts leaves nothing', async () => {
    const never = 'whe_never';
    await directory.waitFor(await list(appId, [never]), LIMIT_MS);
    expect(await ids()).toEqual([]);
    expect(await directory.findEndpoint(never)).toBeUndefined();
    expect(await directory.findGoneEndpoints(appId)).toEqual([]);
  });

  it('are known before any event behind them, also those that an older release makes beside this one', async () => {
    const { endpointId, position } = await createUnlisted(commands, appId);
    await Promise.all([directory.waitFor(position, LIMIT_MS), other.waitFor(position, LIMIT_MS)]);
    expect(await ids()).toEqual([endpointId]);
    expect(await ids(other)).toEqual([endpointId]);
    expect(await readList(appId)).toEqual(['whe_never', endpointId]);
  });

  it('are so many less when one is deleted, which the list may name no longer', async () => {
    const { endpointId, position } = await createUnlisted(commands, appId);
    await directory.waitFor(position, LIMIT_MS);
    const first = (await ids()).find((id) => id !== endpointId) ?? '';
    await directory.waitFor(await remove(first, appId), LIMIT_MS);
    expect(await ids()).toEqual([endpointId]);
    expect(await directory.findEndpoint(first)).toBeUndefined();
    expect(await directory.findGoneEndpoints(appId)).toEqual([first]);
    await directory.waitFor(await list(appId, [], [first]), LIMIT_MS);
    expect(await ids()).toEqual([endpointId]);
  });

  it('are not all kept of creations that never came to an end', async () => {
    const unused = Array.from({ length: 120 }, (_, n) => `whe_unused${n}`);
    await directory.waitFor(await list(appId, unused), LIMIT_MS);
    const gone = await directory.findGoneEndpoints(appId);
    expect(gone).toEqual(['whe_never', ...unused.slice(0, 20)]);
  });

  it('are found in the store where another process knew of one first', async () => {
    const endpointId = newAppId(NOW).replace('app', 'whe');
    expect(await directory.findEndpoint(endpointId)).toBeUndefined();
    const made = await createUnlisted(commands, appId);
    expect(await directory.findEndpoint(made.endpointId)).toMatchObject({ appId });
    await Promise.all([directory, other].map((each) => each.waitFor(made.position, LIMIT_MS)));
  });
});
