import { readBucket } from '#domain/ids';
import { type CommandContext, type EventStore, eventsToAppend } from '#event-store';
import { forEachConcurrently, newAppId, newId, newUuid, wallClock } from '#platform';
import { progress } from './benchmark.js';

const EVENTS_AN_APPEND = 500;
const APPENDS_AT_ONCE = 8;
const APPS_AT_ONCE = 64;
/** One app in so many has a clock that was advanced. */
const APPS_A_CLOCK = 10;
const NOW = wallClock.now();

interface Filling {
  /** Events that are none of apps. */
  readonly events: number;
  readonly apps: number;
}

interface Written {
  readonly type: string;
  readonly data: unknown;
}

/**
 * Fills a ledger's store with tenants, and with events that no tenant's memory is made of: directly, as deciders
 * would have written it.
 */
export async function fillStore(store: EventStore, { events, apps }: Filling): Promise<void> {
  progress(`writing ${events} events of others, and ${apps} apps`);
  const appends = Array.from({ length: Math.ceil(events / EVENTS_AN_APPEND) }, (_, n) => n);
  await forEachConcurrently(appends, APPENDS_AT_ONCE, (n) =>
    append(store, `foreign-${newUuid()}`, 'app_none', createForeign(n)),
  );
  const numbers = Array.from({ length: apps }, (_, n) => n);
  await forEachConcurrently(numbers, APPS_AT_ONCE, (n) => createTenant(store, n));
}

function createForeign(append: number): Written[] {
  const text = 'what others do in a store that is shared';
  return Array.from({ length: EVENTS_AN_APPEND }, (_, n) => ({
    type: 'foreign.happened.v1',
    data: { text, number: append * EVENTS_AN_APPEND + n },
  }));
}

async function createTenant(store: EventStore, n: number): Promise<void> {
  const appId = newAppId(NOW);
  const endpointId = newId('whe', NOW, readBucket(appId));
  const app = {
    ...{ appId, name: 'Game', environment: 'test', createdAt: NOW, sealedApiKey: 'sealed' },
    ...{ sealedIngressSecret: 'sealed', sealedTokenKey: 'sealed', sealedPseudonymKey: 'sealed' },
    tokenPublicKey: { kty: 'OKP', crv: 'Ed25519', x: 'public' },
  };
  const endpoint = {
    ...{ endpointId, appId, url: 'https://studio.example/', eventTypes: ['*'] },
    ...{ accept: '2xx', description: '', maxPerSecond: null, sealedSecret: 'sealed' },
    createdAt: NOW,
  };
  const advance = { appId, target: NOW, from: NOW };
  const streams: Readonly<Record<string, readonly Written[]>> = {
    [`app-${appId}`]: [{ type: 'app.created.v1', data: app }],
    [`endpoint_list-${appId}`]: [
      { type: 'endpoint_list.listed.v1', data: { endpointIds: [endpointId] } },
    ],
    [`webhook_endpoint-${endpointId}`]: [{ type: 'webhook_endpoint.created.v2', data: endpoint }],
    ...(n % APPS_A_CLOCK === 0 && {
      [`test_clock-${appId}`]: [
        { type: 'test_clock.advance_requested.v1', data: advance },
        { type: 'test_clock.target_reached.v1', data: { offsetMs: 86_400_000 } },
      ],
    }),
  };
  const appends = Object.entries(streams);
  await Promise.all(appends.map(([name, events]) => append(store, name, appId, events)));
}

async function append(
  store: EventStore,
  streamName: string,
  appId: string,
  events: readonly Written[],
): Promise<void> {
  const context: CommandContext = {
    ...{ appId, actor: 'operator:x', correlationId: 'start', now: NOW },
    environment: 'test',
  };
  await store.append(streamName, 'no_stream', eventsToAppend(events, context, NOW));
}
