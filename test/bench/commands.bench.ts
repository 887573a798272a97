/**
 * Durable commands over HTTP against raw appends of the same events, with the same client and store.
 * API and store run, projector and worker rest, in both halves, which take turns in several rounds.
 */
import { createHmac, randomBytes } from 'node:crypto';
import autocannon from 'autocannon';
import { appAggregate } from '#domain/app';
import { subscriptionAggregate } from '#domain/subscription';
import {
  connectEventStore,
  createCommandHandler,
  type Envelope,
  type EventStore,
} from '#event-store';
import { createSeal, newId, newUuid, wallClock } from '#platform';
import { createAppSecrets } from '#tenancy';
import { startRedis } from '../support/redis.js';
import { type BenchResult, median, progress } from './benchmark.js';
import { startProgram } from './program.js';

export const description =
  'durable cancel and reactivate commands over HTTP (HMAC), 64 in flight, against raw appends of the same events';

const IN_FLIGHT = 64;
const ROUNDS = 7;
const ROUND_SECONDS = 3;
/** Each connection has its own: a command never waits for another on the same stream. */
const SUBSCRIPTIONS_A_CONNECTION = 32;

const ACTS = ['cancel', 'reactivate'] as const;

interface Tenant {
  readonly appId: string;
  readonly key: Buffer;
  readonly subscriptionIds: readonly string[];
}

export async function run(): Promise<BenchResult> {
  const masterKey = randomBytes(32);
  const redis = await startRedis();
  const store = await startProgram('libs/embedded-event-store/src/main.js', {}, true);
  const eventStoreUrl = String(store.ready['connectionString']);
  const client = connectEventStore(eventStoreUrl);
  try {
    const tenant = await prepare(client, masterKey);
    const api = await startProgram('apps/api/src/main.js', {
      EVENTSTOREDB_URL: eventStoreUrl,
      REDIS_URL: redis.url,
      MASTER_KEY: masterKey.toString('base64'),
      PORT: '0',
      LOG_LEVEL: 'warn',
    });
    try {
      return await compare(client, String(api.ready['url']), tenant);
    } finally {
      await api.stop();
    }
  } finally {
    await client.dispose();
    await store.stop();
    await redis.stop();
  }
}

async function compare(client: EventStore, url: string, tenant: Tenant): Promise<BenchResult> {
  const ours = new Commands(url, tenant);
  const raw = new RawAppends(client, tenant.appId);
  progress('warming up ...');
  await ours.run(ROUND_SECONDS);
  await raw.run(ROUND_SECONDS);
  const values: number[] = [];
  const limits: number[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const value = await ours.run(ROUND_SECONDS);
    const limit = await raw.run(ROUND_SECONDS);
    values.push(value);
    limits.push(limit);
    const ratio = (value / limit).toFixed(2);
    progress(
      `round ${round}: ${value.toFixed(0)} commands/s, ${limit.toFixed(0)} appends/s, ${ratio}`,
    );
  }
  const ratios = values.map((value, index) => value / (limits[index] ?? Infinity));
  return {
    value: median(values),
    limit: median(limits),
    unit: 'commands/s',
    extra: { medianOfRoundRatios: Number(median(ratios).toFixed(3)), p99Ms: ours.p99Ms },
  };
}

/** An app and many active subscriptions, written as the facts that they are. */
async function prepare(store: EventStore, masterKey: Buffer): Promise<Tenant> {
  progress('writing subscriptions ...');
  const commands = createCommandHandler(store);
  const secrets = createAppSecrets(createSeal(masterKey));
  const now = wallClock.now();
  const appId = newId('app', now);
  const { sealed, shown } = await secrets.createFor(appId);
  const app = {
    appId,
    name: 'bench',
    environment: 'production',
    createdAt: now,
    ...sealed,
  } as const;
  const envelope: Envelope = {
    appId,
    environment: 'production',
    actor: 'bench',
    correlationId: newUuid(),
    now,
  };
  await commands.handle(appAggregate, appId, { kind: 'CreateApp', app }, envelope);
  const create = async (): Promise<string> => {
    const subscriptionId = newId('sub', now);
    const command = {
      kind: 'CreateSubscription',
      terms: termsOf(appId, subscriptionId),
      initialPaymentId: newId('pay', now),
      now,
    } as const;
    await commands.handle(subscriptionAggregate, subscriptionId, command, envelope);
    return subscriptionId;
  };
  const subscriptionIds: string[] = [];
  for (let n = 0; n < SUBSCRIPTIONS_A_CONNECTION; n += 1) {
    subscriptionIds.push(...(await Promise.all(Array.from({ length: IN_FLIGHT }, create))));
  }
  return { appId, key: Buffer.from(shown.ingressSecret, 'base64'), subscriptionIds };
}

function termsOf(appId: string, subscriptionId: string) {
  return {
    subscriptionId,
    appId,
    externalAccountId: `player-${subscriptionId}`,
    planId: 'plan_bench',
    price: { amountMinor: '999', currency: 'USD' },
    period: { value: 1, unit: 'month' },
    trial: null,
    paymentMethod: 'pm_ok',
    checkoutLinkId: 'cl_bench',
    regionCode: 'US',
    referenceId: '',
    metadata: {},
  } as const;
}

/** Cancels and reactivates one subscription after the other, each connection its own. */
class Commands {
  p99Ms = 0;
  /** How many requests each connection has had answered, so that a round goes on where one ended. */
  private readonly answered: number[] = Array.from({ length: IN_FLIGHT }, () => 0);

  constructor(
    private readonly url: string,
    private readonly tenant: Tenant,
  ) {}

  async run(seconds: number): Promise<number> {
    let connections = 0;
    const result = await autocannon({
      url: this.url,
      connections: IN_FLIGHT,
      duration: seconds,
      setupClient: (client) => {
        const connection = connections++;
        client.setRequests(this.requestsOf(connection));
        client.on('response', () => this.count(connection));
      },
    });
    this.p99Ms = result.latency.p99;
    if (result.non2xx > 0 || result.errors > 0) {
      throw new Error(`${result.non2xx} commands were refused, ${result.errors} failed`);
    }
    return result['2xx'] / result.duration;
  }

  private count(connection: number): void {
    this.answered[connection] = (this.answered[connection] ?? 0) + 1;
  }

  /**
   * A fixed list, so that the load generator builds each request once. A round ends with a request in
   * flight: the next begins with another subscription, and with a cancel, which is never refused.
   */
  private requestsOf(connection: number): autocannon.Request[] {
    const headers = {
      'content-type': 'application/json',
      'x-service-hmac-signature': this.signature('{}'),
    };
    const own = this.tenant.subscriptionIds.filter((_, index) => index % IN_FLIGHT === connection);
    const first = Math.ceil((this.answered[connection] ?? 0) / ACTS.length + 1) % own.length;
    return [...own.slice(first), ...own.slice(0, first)].flatMap((id) =>
      ACTS.map((act) => ({
        method: 'POST' as const,
        path: `/sdk/subscriptions/${id}/${act}`,
        headers,
        body: '{}',
      })),
    );
  }

  private signature(body: string): string {
    const millis = Date.now();
    const mac = createHmac('sha256', this.tenant.key).update(`${millis}.${body}`).digest('base64');
    return `v1;${this.tenant.appId};${millis};${mac}`;
  }
}

/** The same two events, appended at the expected revision by the same client. */
class RawAppends {
  private readonly revisions = new Map<string, number>();

  constructor(
    private readonly client: EventStore,
    private readonly appId: string,
  ) {}

  async run(seconds: number): Promise<number> {
    const startedAt = performance.now();
    const endsAt = startedAt + seconds * 1000;
    let done = 0;
    const worker = async (_: unknown, index: number) => {
      for (let n = 0; performance.now() < endsAt; n += 1) {
        const streamName = `subscription-raw${index}x${n % SUBSCRIPTIONS_A_CONNECTION}`;
        const revision = this.revisions.get(streamName);
        const { revision: after } = await this.client.append(streamName, revision ?? 'no_stream', [
          this.event(n),
        ]);
        this.revisions.set(streamName, after);
        done += 1;
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
    return done / ((performance.now() - startedAt) / 1000);
  }

  private event(n: number) {
    const now = wallClock.now();
    const canceled = { canceledAt: now, accessEndsAt: now };
    const isCancel = n % 2 === 0;
    return {
      id: newUuid(),
      type: isCancel ? 'subscription.canceled.v1' : 'subscription.reactivated.v1',
      data: isCancel ? canceled : { reactivatedAt: now },
      metadata: {
        $correlationId: newUuid(),
        actor: 'app',
        appId: this.appId,
        environment: 'production' as const,
        schemaVersion: 1,
        occurredAt: now,
      },
    };
  }
}
