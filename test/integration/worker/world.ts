import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { appAggregate } from '#domain/app';
import { checkoutLinkAggregate, lastAttempt } from '#domain/checkout-link';
import { fromMilliseconds, type Period } from '#domain/calendar';
import { endpointListAggregate } from '#domain/endpoint-list';
import type { Environment, Instant } from '#domain/event';
import { readBucket } from '#domain/ids';
import { paymentAggregate } from '#domain/payment';
import { playerAggregate } from '#domain/player';
import { noTaxRates } from '#domain/pricing';
import { subscriptionAggregate, type StartedSubscription } from '#domain/subscription';
import { testClockAggregate } from '#domain/test-clock';
import { webhookEndpointAggregate } from '#domain/webhook-endpoint';
import { type RunningEventStore, startEventStore } from '#embedded-event-store';
import {
  type CommandExecutor,
  createCommandExecutor,
  type CommandContext,
  type LedgerStore,
} from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { type Clock, createSeal, newAppId, newId, wallClock } from '#platform';
import { createAppSecrets, type PersonalData } from '#tenancy';
import { loadingPersonalData } from '../../support/personal-data.js';
import { eventually, untilReached } from '../../support/eventually.js';
import { type RunningRedis, startRedis } from '../../support/redis.js';
import { startProjectorHere } from './projector-here.js';
import { startWorkerHere } from './worker-here.js';
import type { AttemptOptions, CheckoutOptions, WorldOptions } from './world-options.js';

const MONTH: Period = { value: 1, unit: 'month' };
const PRICE = { amountMinor: '999', currency: 'USD' };
/** A purchase takes a tenth of a second, and each question after it as much work as a step of it. */
const PURCHASE_POLL_MS = 50;
const GOLD = {
  ...{ planId: 'plan_gold', planName: 'Gold', planDescription: '', price: PRICE },
  bounds: null,
};

type EndpointChange = 'DeleteWebhookEndpoint' | 'DisableWebhookEndpoint' | 'EnableWebhookEndpoint';

/** Everything that a worker needs around it, real: event store, Redis, projector, tenants. */
export class World {
  readonly masterKey = randomBytes(32);
  readonly secrets = createAppSecrets(createSeal(this.masterKey));
  readonly personalData: PersonalData;
  readonly #environments = new Map<string, Environment>();
  #stopProjector: () => Promise<void> = async () => undefined;
  readonly #stops: (() => Promise<void> | void)[] = [];

  private constructor(
    public store: RunningEventStore,
    readonly dataDir: string,
    readonly client: LedgerStore,
    readonly commands: CommandExecutor,
    public redis: RunningRedis,
    readonly redisUrl: string,
  ) {
    this.personalData = loadingPersonalData(commands, createSeal(this.masterKey));
  }

  static async start(options: WorldOptions = {}): Promise<World> {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'subledger-worker-'));
    const store = await startEventStore({ port: 0, dataDir });
    const client = connectEventStore(store.connectionString);
    await client.namespaces.open(options.partitions ?? 1);
    const redis = await startRedis(options);
    const { redisUrl = redis.url } = options;
    // Other processes write to the same streams: this one's memory of them may be old.
    const commands = createCommandExecutor(client, { cacheSize: 0 });
    const world = new World(store, dataDir, client, commands, redis, redisUrl);
    world.#stops.push(
      () => rm(dataDir, { recursive: true, force: true }),
      () => world.store.stop(),
      () => client.dispose(),
      () => world.redis.stop(),
    );
    world.#stopProjector = await startProjectorHere(client, redisUrl);
    world.onStop(() => world.#stopProjector());
    return world;
  }

  /** Stopped with the world, the last added first. */
  onStop(stop: () => Promise<void> | void): void {
    this.#stops.push(stop);
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops.reverse()) await stop();
  }

  /** Does something to the ledger between two runs of the projector; workers were stopped before. */
  async betweenRuns(act: () => Promise<unknown>): Promise<void> {
    await this.#stopProjector();
    await act();
    this.#stopProjector = await startProjectorHere(this.client, this.redisUrl);
  }

  /** The event store goes away and comes back, at the same address and with all it had. */
  async restartStore(): Promise<void> {
    const { port } = this.store;
    await this.store.stop();
    this.store = await startEventStore({ port, dataDir: this.dataDir });
    await untilReached(this.client);
  }

  get env(): Record<string, string> {
    return {
      EVENTSTOREDB_URL: this.store.connectionString,
      REDIS_URL: this.redisUrl,
      MASTER_KEY: this.masterKey.toString('base64'),
      LOG_LEVEL: process.env['WORKER_LOG_LEVEL'] ?? 'silent',
      ALLOW_INSECURE_TARGETS: 'test-apps',
    };
  }

  /** A worker in this process, of the machine's clock or of another. Resolves when it works. */
  async startWorker(env: Readonly<Record<string, string>> = {}, clock?: Clock) {
    const worker = await startWorkerHere({ ...this.env, ...env }, clock);
    this.onStop(() => worker.stop());
    return worker;
  }

  async createApp(environment: Environment = 'test'): Promise<string> {
    const now = wallClock.now();
    const appId = newAppId(now);
    const { sealed } = await this.secrets.createFor(appId);
    const app = { appId, name: 'Game', environment, createdAt: now, ...sealed };
    this.#environments.set(appId, environment);
    const context = this.#context(appId);
    await this.commands.execute(appAggregate, appId, { kind: 'CreateApp', app }, context);
    return appId;
  }

  /** @returns the endpoint's id and its secret, as it would be shown. */
  async addEndpoint(
    appId: string,
    url: string,
    eventTypes: readonly string[] = ['*'],
    { shown, sealed: sealedSecret } = this.secrets.create(appId, 'webhook secret'),
  ) {
    const now = wallClock.now();
    const endpointId = newId('whe', now, readBucket(appId));
    const accept = '2xx' as const;
    const fields = { endpointId, appId, url, eventTypes, accept, sealedSecret, createdAt: now };
    const command = { kind: 'CreateWebhookEndpoint', endpoint: fields } as const;
    const context = this.#context(appId);
    const list = { kind: 'ListEndpoints', endpointIds: [endpointId], gone: [] } as const;
    await this.commands.execute(endpointListAggregate, appId, list, context);
    await this.commands.execute(webhookEndpointAggregate, endpointId, command, context);
    return { endpointId, secret: `whsec_${shown}` };
  }

  /** Changes an endpoint, now. */
  async commandEndpoint(appId: string, endpointId: string, kind: EndpointChange): Promise<void> {
    const now = wallClock.now();
    const commands = {
      DeleteWebhookEndpoint: { kind: 'DeleteWebhookEndpoint', now },
      DisableWebhookEndpoint: { kind: 'DisableWebhookEndpoint', reason: 'operator', now },
      EnableWebhookEndpoint: { kind: 'EnableWebhookEndpoint', now },
    } as const;
    const context = this.#context(appId);
    await this.commands.execute(webhookEndpointAggregate, endpointId, commands[kind], context);
  }

  /** A link for a plan, not paid yet. */
  async createLink(appId: string, linkId: string, options: CheckoutOptions = {}): Promise<void> {
    const { player: accountId = 'player-1', trial = null, period = MONTH } = options;
    // A pseudonym is one app's alone.
    const player = `${accountId}-${appId}`;
    const now = options.now ?? (await this.appNow(appId));
    const offer = { ...GOLD, period, trial };
    const context = this.#context(appId, { player, now });
    const personal = await this.personalData.seal({ ...context, player }, accountId, {});
    const link = {
      ...{ linkId, appId, player, offer, regionCode: 'US' },
      ...{ language: '', returnUrl: '', referenceId: '' },
      ...{ personal, createdAt: now, expiresAt: '2999-01-01T00:00:00.000Z' },
    };
    const command = { kind: 'CreateCheckoutLink', link } as const;
    await this.commands.execute(checkoutLinkAggregate, linkId, command, context);
  }

  /** A player clicks on "pay"; the worker does the rest. */
  async attemptCheckout(appId: string, options: AttemptOptions = {}) {
    // As a link's bucket is its player's.
    const bucket = readBucket(options.player ?? 'player-1');
    const linkId = newId('link', await this.appNow(appId), bucket);
    await this.createLink(appId, linkId, options);
    return { linkId, ...(await this.attemptOn(appId, linkId, options)) };
  }

  /** A click on "pay" on a link that is there. */
  async attemptOn(appId: string, linkId: string, options: AttemptOptions) {
    const { player = 'player-1', paymentMethod = 'pm_ok', wallNow = wallClock.now() } = options;
    const now = options.now ?? (await this.appNow(appId));
    const attempt = { paymentMethod, planIsAvailable: true, playerIsErased: false, now };
    const command = { kind: 'AttemptCheckout', ...attempt, taxRates: noTaxRates, wallNow } as const;
    const context = this.#context(appId, { player, now });
    await this.commands.execute(checkoutLinkAggregate, linkId, command, context);
    const link = await this.link(linkId);
    const last = link.status === 'none' ? undefined : lastAttempt(link);
    return { subscriptionId: last?.subscriptionId ?? '', paymentId: last?.paymentId ?? '' };
  }

  /** Buys a subscription and waits until it is there. */
  async buy(appId: string, options: CheckoutOptions = {}): Promise<string> {
    const { subscriptionId, linkId } = await this.attemptCheckout(appId, options);
    await eventually(async () => (await this.link(linkId)).status === 'completed', {
      ...{ what: 'the checkout', firstPollMs: PURCHASE_POLL_MS },
    });
    return subscriptionId;
  }

  async cancel(appId: string, subscriptionId: string, cancelAtPeriodEnd = true): Promise<void> {
    const now = await this.appNow(appId);
    const command = { kind: 'CancelSubscription', cancelAtPeriodEnd, now } as const;
    const context = this.#context(appId, { player: 'player-1', now });
    await this.commands.execute(subscriptionAggregate, subscriptionId, command, context);
  }

  async reactivate(appId: string, subscriptionId: string): Promise<void> {
    const now = await this.appNow(appId);
    const context = this.#context(appId, { player: 'player-1', now });
    const command = { kind: 'ReactivateSubscription', now } as const;
    await this.commands.execute(subscriptionAggregate, subscriptionId, command, context);
  }

  /** The first step of `players erase`. */
  async erasePlayer(appId: string, accountId: string): Promise<void> {
    const player = `${accountId}-${appId}`;
    const context = this.#context(appId, { player });
    const command = { kind: 'ErasePlayer', now: context.now } as const;
    await this.commands.execute(playerAggregate, player, command, context);
  }

  async link(linkId: string) {
    return (await this.commands.load(checkoutLinkAggregate, linkId)).state;
  }

  async payment(paymentId: string) {
    return (await this.commands.load(paymentAggregate, paymentId)).state;
  }

  async subscription(subscriptionId: string): Promise<StartedSubscription> {
    const { state } = await this.commands.load(subscriptionAggregate, subscriptionId);
    if (state.status === 'none') throw new Error(`there is no ${subscriptionId}`);
    return state;
  }

  async clock(appId: string) {
    return (await this.commands.load(testClockAggregate, appId)).state;
  }

  async appNow(appId: string): Promise<Instant> {
    const { advance, offsetMs } = await this.clock(appId);
    return advance?.standsAt ?? fromMilliseconds(Date.now() + offsetMs);
  }

  async requestAdvance(appId: string, to: Instant): Promise<void> {
    const wallNow = wallClock.now();
    const command = { kind: 'RequestAdvance', appId, to, wallNow } as const;
    const context = this.#context(appId);
    const result = await this.commands.execute(testClockAggregate, appId, command, context);
    if (!result.accepted) throw new Error(result.rejection.code);
  }

  /** Advances the clock of an app and waits until it is there. */
  async advance(appId: string, to: Instant): Promise<void> {
    await this.requestAdvance(appId, to);
    await eventually(async () => (await this.clock(appId)).advance === null, {
      ...{ what: 'the test clock', firstPollMs: PURCHASE_POLL_MS },
    });
  }

  /** Every event of a stream: type and data. */
  async events(streamName: string) {
    const events = [];
    for await (const event of this.client.readStream(streamName)) events.push(event);
    return events;
  }

  #context(appId: string, more: Partial<CommandContext> = {}): CommandContext {
    return {
      ...{ appId, actor: 'app', correlationId: 'request-1' },
      environment: this.#environments.get(appId) ?? 'test',
      now: wallClock.now(),
      ...more,
    };
  }
}
