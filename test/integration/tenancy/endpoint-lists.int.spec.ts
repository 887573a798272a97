import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpointListAggregate } from '#domain/endpoint-list';
import { webhookEndpointAggregate } from '#domain/webhook-endpoint';
import { type CommandExecutor, createCommandExecutor, type LedgerStore } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { newAppId } from '#platform';
import type { AppDirectory } from '#tenancy';
import { RestartableStore } from '../event-store/support.js';
import { contextFor, createApp, createEndpoint, NOW, openDirectory } from './support.js';

const LIMIT_MS = 30_000;
const closing = new AbortController();
let server: RestartableStore;
let own: LedgerStore;
let others: LedgerStore;
let commands: CommandExecutor;

beforeAll(async () => {
  server = await RestartableStore.start();
  own = connectEventStore(server.connectionString);
  others = connectEventStore(server.connectionString);
  await others.namespaces.open(1);
  commands = createCommandExecutor(others, { cacheSize: 0 });
});
afterAll(async () => {
  closing.abort();
  await own.dispose();
  await others.dispose();
  await server.remove();
});

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

  it('are known before any event behind them', async () => {
    const { endpointId, position } = await createEndpoint(commands, appId);
    await Promise.all([directory.waitFor(position, LIMIT_MS), other.waitFor(position, LIMIT_MS)]);
    expect(await ids()).toEqual([endpointId]);
    expect(await ids(other)).toEqual([endpointId]);
  });

  it('are so many less when one is deleted, which the list may name no longer', async () => {
    const { endpointId, position } = await createEndpoint(commands, appId);
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
    const made = await createEndpoint(commands, appId);
    expect(await directory.findEndpoint(made.endpointId)).toMatchObject({ appId });
    await Promise.all([directory, other].map((each) => each.waitFor(made.position, LIMIT_MS)));
  });
});
