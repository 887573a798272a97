import { appAggregate } from '#domain/app';
import { endpointListAggregate } from '#domain/endpoint-list';
import { readBucket } from '#domain/ids';
import { webhookEndpointAggregate } from '#domain/webhook-endpoint';
import {
  type CommandContext,
  type CommandExecutor,
  createCommandExecutor,
  type EventStore,
  openLiveAggregates,
} from '#event-store';
import { createLogger, newId, wallClock } from '#platform';
import { APP_AGGREGATES, type AppDirectory, createAppDirectory } from '#tenancy';

export const NOW = '2027-01-31T10:00:00.000Z';
export const silent = createLogger('test', { level: 'silent' });

/** A process's memory of the apps, from now on. */
export async function openDirectory(store: EventStore, signal: AbortSignal): Promise<AppDirectory> {
  const commands = createCommandExecutor(store);
  const live = await openLiveAggregates({
    ...{ store, commands, aggregates: APP_AGGREGATES, signal, log: silent },
  });
  return createAppDirectory({ live, clock: wallClock });
}

/** The same store, with its reads of streams and its subscriptions counted. */
export function counted(store: EventStore) {
  const count = { reads: 0, subscriptions: 0, delivered: 0 };
  const counting: EventStore = {
    append: (...args) => store.append(...args),
    readStream: (...args) => {
      count.reads += 1;
      return store.readStream(...args);
    },
    headRevision: (...args) => store.headRevision(...args),
    headPosition: () => store.headPosition(),
    hasEventAt: (position) => store.hasEventAt(position),
    findTime: (position) => store.findTime(position),
    findTimeAfter: (position) => store.findTimeAfter(position),
    subscribe: async function* (options) {
      count.subscriptions += 1;
      for await (const batch of store.subscribe(options)) {
        count.delivered += batch.events.length;
        yield batch;
      }
    },
    ping: () => store.ping(),
    dispose: () => store.dispose(),
  };
  return { store: counting, count };
}

export function contextFor(appId: string): CommandContext {
  return { appId, environment: 'test', actor: 'operator:x', correlationId: 'r', now: NOW };
}

export async function createApp(commands: CommandExecutor, appId: string): Promise<string> {
  const app = {
    appId,
    name: 'Gold Rush',
    environment: 'test',
    sealedIngressSecret: 'ingress',
    sealedApiKey: 'api',
    sealedTokenKey: 'token',
    sealedPseudonymKey: 'sealed-5',
    tokenPublicKey: { kty: 'OKP', crv: 'Ed25519', x: 'public' },
    createdAt: NOW,
  } as const;
  const command = { kind: 'CreateApp', app } as const;
  const created = await commands.execute(appAggregate, appId, command, contextFor(appId));
  if (!created.accepted) throw new Error('an app was rejected');
  return created.position ?? '';
}

/** As the API does: its id is listed, then it is created (decision 0011). */
export async function createEndpoint(commands: CommandExecutor, appId: string) {
  const endpointId = newId('whe', NOW, readBucket(appId));
  const list = { kind: 'ListEndpoints', endpointIds: [endpointId], gone: [] } as const;
  await commands.execute(endpointListAggregate, appId, list, contextFor(appId));
  const endpoint = {
    ...{ endpointId, appId, url: 'https://studio.example/', eventTypes: ['*'] },
    ...({ accept: '2xx', sealedSecret: 'sealed', createdAt: NOW } as const),
  };
  const command = { kind: 'CreateWebhookEndpoint', endpoint } as const;
  const context = contextFor(appId);
  const created = await commands.execute(webhookEndpointAggregate, endpointId, command, context);
  if (!created.accepted) throw new Error('an endpoint was rejected');
  return { endpointId, position: created.position ?? '' };
}
