import { appAggregate } from '#domain/app';
import { endpointListAggregate } from '#domain/endpoint-list';
import { readBucket } from '#domain/ids';
import { testClockAggregate } from '#domain/test-clock';
import { webhookEndpointAggregate } from '#domain/webhook-endpoint';
import {
  type CommandContext,
  type CommandExecutor,
  createCommandExecutor,
  type EventStore,
} from '#event-store';
import { deriveUuid, forEachConcurrently, newAppId, newId, newUuid, wallClock } from '#platform';
import { progress } from './benchmark.js';

const EVENTS_AN_APPEND = 500;
const APPENDS_AT_ONCE = 8;
const APPS_AT_ONCE = 64;
/** One app in so many has a clock that was advanced. */
const APPS_A_CLOCK = 10;

interface Filling {
  /** Events that are none of apps. */
  readonly events: number;
  readonly apps: number;
}

/** Fills a ledger's store with tenants, and with events that no tenant's memory is made of. */
export async function fillStore(store: EventStore, { events, apps }: Filling): Promise<void> {
  progress(`writing ${events} events of others, and ${apps} apps`);
  const appends = Array.from({ length: Math.ceil(events / EVENTS_AN_APPEND) }, (_, n) => n);
  await forEachConcurrently(appends, APPENDS_AT_ONCE, async (n) => {
    await store.append(`foreign-${newUuid()}`, 'no_stream', createEvents(n));
  });
  const commands = createCommandExecutor(store);
  const numbers = Array.from({ length: apps }, (_, n) => n);
  await forEachConcurrently(numbers, APPS_AT_ONCE, (n) => createTenant(commands, n));
}

function createEvents(append: number) {
  const metadata = { ...contextFor('app_none'), $correlationId: 'start', occurredAt: NOW };
  return Array.from({ length: EVENTS_AN_APPEND }, (_, n) => ({
    id: deriveUuid(`${append} ${n} ${newUuid()}`),
    type: 'foreign.happened.v1',
    data: { text: 'what others do in a store that is shared', n },
    metadata,
  }));
}

async function createTenant(commands: CommandExecutor, n: number): Promise<void> {
  const appId = newAppId(NOW);
  const context = contextFor(appId);
  const app = {
    ...{ appId, name: 'Game', createdAt: NOW, sealedApiKey: 'sealed' },
    environment: 'test' as const,
    ...{ sealedIngressSecret: 'sealed', sealedTokenKey: 'sealed', sealedPseudonymKey: 'sealed' },
    tokenPublicKey: { kty: 'OKP', crv: 'Ed25519', x: 'public' },
  } as const;
  await commands.execute(appAggregate, appId, { kind: 'CreateApp', app }, context);
  const endpointId = newId('whe', NOW, readBucket(appId));
  const list = { kind: 'ListEndpoints', endpointIds: [endpointId], gone: [] } as const;
  await commands.execute(endpointListAggregate, appId, list, context);
  const endpoint = {
    ...{ endpointId, appId, url: 'https://studio.example/', eventTypes: ['*'] },
    ...({ accept: '2xx', sealedSecret: 'sealed', createdAt: NOW } as const),
  };
  const create = { kind: 'CreateWebhookEndpoint', endpoint } as const;
  await commands.execute(webhookEndpointAggregate, endpointId, create, context);
  if (n % APPS_A_CLOCK > 0) return;
  const advance = { kind: 'RequestAdvance', appId, to: LATER, wallNow: NOW } as const;
  await commands.execute(testClockAggregate, appId, advance, context);
  const reach = { kind: 'ReachTarget', wallNow: NOW } as const;
  await commands.execute(testClockAggregate, appId, reach, context);
}

const NOW = wallClock.now();
const LATER = new Date(Date.parse(NOW) + 86_400_000).toISOString();

function contextFor(appId: string): CommandContext {
  return { appId, environment: 'test', actor: 'operator:x', correlationId: 'start', now: NOW };
}
