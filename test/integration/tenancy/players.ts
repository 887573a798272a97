import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { appAggregate, type CreatedApp } from '#domain/app';
import { checkoutLinkAggregate } from '#domain/checkout-link';
import { endpointListAggregate } from '#domain/endpoint-list';
import { readBucket, readPlayerBucket } from '#domain/ids';
import { paymentAggregate } from '#domain/payment';
import type { PersonalTexts } from '#domain/personal-data';
import { type PlayerRegistered } from '#domain/player';
import { subscriptionAggregate } from '#domain/subscription';
import { webhookEndpointAggregate } from '#domain/webhook-endpoint';
import {
  type CommandExecutor,
  createCommandExecutor,
  type LedgerStore,
  Partitions,
} from '#event-store';
import { createSeal, newAppId, newId, newUuid, wallClock } from '#platform';
import { createAppSecrets } from '#tenancy';
import { type Backup, backupStream, DELIVERY_CHECKPOINT_RECORDED, toPages } from '#worker-state';
import { periodCharge } from '../../../libs/domain/src/payment/spec-support/period-charge.js';
import { loadingPersonalData } from '../../support/personal-data.js';

const seal = createSeal(Buffer.alloc(32, 7));
const now = wallClock.now();
const price = { amountMinor: '999', currency: 'USD' } as const;
const month = { value: 1, unit: 'month' } as const;

/** Players of one app, in a store, with their purchases. */
export class Players {
  readonly commands: CommandExecutor;
  readonly #data;

  private constructor(
    readonly store: LedgerStore,
    readonly app: CreatedApp,
  ) {
    this.commands = createCommandExecutor(store);
    this.#data = loadingPersonalData(this.commands, seal);
  }

  static async create(store: LedgerStore): Promise<Players> {
    const appId = newAppId(now);
    const { sealed } = await createAppSecrets(seal).createFor(appId);
    const app = { appId, name: appId, environment: 'test', createdAt: now, ...sealed } as const;
    const context = { appId, environment: 'test', actor: 'cli', correlationId: 'r', now } as const;
    const command = { kind: 'CreateApp', app } as const;
    const created = await createCommandExecutor(store).execute(
      appAggregate,
      appId,
      command,
      context,
    );
    if (!created.accepted || created.state.status !== 'created') throw new Error('no app');
    return new Players(store, created.state);
  }

  /** A new player with a key. @returns the pseudonym. */
  async register(player = randomBytes(16).toString('hex')): Promise<string> {
    await this.#data.seal(this.context(player), `account of ${player}`, {});
    return player;
  }

  accountId(player: string): Promise<string> {
    return this.#data.accountId({ appId: this.app.appId, player, personal: {} });
  }

  show(player: string, personal: PersonalTexts) {
    return this.#data.open({ appId: this.app.appId, player, personal });
  }

  async cancel(player: string, id: string): Promise<void> {
    const command = { kind: 'CancelSubscription', cancelAtPeriodEnd: false, now } as const;
    await this.commands.execute(subscriptionAggregate, id, command, this.context(player));
  }

  /** The player's key, as it stands under the master key. */
  async sealedKey(player: string): Promise<string> {
    for await (const { type, data } of this.store.readStream(`player-${player}`)) {
      // The ledger's own data.
      if (type === 'player.registered.v1') return (data as PlayerRegistered['data']).sealedKey;
    }
    throw new Error(`${player} has no key`);
  }

  async subscribe(player: string, personal: PersonalTexts = {}): Promise<string> {
    const subscriptionId = newId('sub', now, readPlayerBucket(player));
    const terms = {
      ...{ subscriptionId, appId: this.app.appId, player, planId: 'plan_1', price, period: month },
      ...{ trial: null, paymentMethod: 'pm_ok', checkoutLinkId: 'cl_1', regionCode: 'US' },
      personal,
    };
    const command = { kind: 'CreateSubscription', terms, initialPayment: null, now } as const;
    const context = this.context(player);
    await this.commands.execute(subscriptionAggregate, subscriptionId, command, context);
    return subscriptionId;
  }

  /** @returns the id of an endpoint of the app. */
  async addEndpoint(eventTypes: readonly string[]): Promise<string> {
    const { appId } = this.app;
    const endpointId = newId('whe', now, readBucket(appId));
    const { sealed: sealedSecret } = createAppSecrets(seal).create(appId, 'webhook secret');
    const fields = { endpointId, appId, url: 'https://example.com', eventTypes, sealedSecret };
    const endpoint = { ...fields, accept: '2xx', createdAt: now } as const;
    const { player: _, ...context } = this.context('');
    const list = { kind: 'ListEndpoints', endpointIds: [endpointId], gone: [] } as const;
    await this.commands.execute(endpointListAggregate, appId, list, context);
    const create = { kind: 'CreateWebhookEndpoint', endpoint } as const;
    await this.commands.execute(webhookEndpointAggregate, endpointId, create, context);
    return endpointId;
  }

  async pay(player: string): Promise<string> {
    const paymentId = newId('pay', now, readPlayerBucket(player));
    const of = { subscriptionId: 'sub_1', amount: price, start: now, number: 1 };
    const charge = {
      ...{ paymentId, appId: this.app.appId, player, personal: {}, checkoutLinkId: 'cl_1' },
      ...{ paymentMethod: 'pm_ok', planId: 'plan_1', ...periodCharge(of), regionCode: 'US' },
    };
    const command = { kind: 'RequestPayment', charge, now } as never;
    await this.commands.execute(paymentAggregate, paymentId, command, this.context(player));
    return paymentId;
  }

  async capture(player: string, paymentId: string): Promise<void> {
    const method = { paymentMethodSubType: '', issuerBank: '' };
    const command = { kind: 'CapturePayment', method, now } as const;
    await this.commands.execute(paymentAggregate, paymentId, command, this.context(player));
  }

  /** As a gateway's notice will. */
  async dispute(player: string, paymentId: string): Promise<void> {
    const { appId } = this.app;
    const data = { disputeId: 'dsp_1', amount: price, openedAt: now };
    const metadata = { $correlationId: 'r', actor: 'cli', appId, player } as const;
    const stream = `payment-${paymentId}`;
    await this.store.append(stream, await this.store.headRevision(stream), [
      {
        ...{ id: newUuid(), type: 'payment.dispute_opened.v1', data },
        metadata: { ...metadata, environment: 'test', occurredAt: now },
      },
    ]);
  }

  /** A link that its player has begun to pay. */
  async attempt(player: string): Promise<string> {
    const linkId = newId('cl', now, readPlayerBucket(player));
    const offer = { planId: 'plan_1', planName: 'Gold', planDescription: '', bounds: null };
    const link = {
      ...{ linkId, appId: this.app.appId, player, regionCode: 'US', language: '', returnUrl: '' },
      ...{ offer: { ...offer, price, period: month, trial: null }, personal: {}, createdAt: now },
      expiresAt: '9999-01-01T00:00:00.000Z',
    };
    const context = this.context(player);
    const create = { kind: 'CreateCheckoutLink', link } as const;
    await this.commands.execute(checkoutLinkAggregate, linkId, create, context);
    const attempt = {
      kind: 'AttemptCheckout',
      paymentMethod: 'pm_ok',
      planIsAvailable: true,
      playerIsErased: false,
      taxRates: { versions: [] },
    };
    const command = { ...attempt, now, wallNow: now } as never;
    await this.commands.execute(checkoutLinkAggregate, linkId, command, context);
    return linkId;
  }

  /** The events in the player's own stream. */
  async readTypes(player: string): Promise<string[]> {
    const types: string[] = [];
    for await (const { type } of this.store.readStream(`player-${player}`)) types.push(type);
    return types;
  }

  /** A worker's backup of the player's partition. */
  async recordBackup(
    player: string,
    position: string,
    members: readonly string[],
    cursors: Backup['cursors'] = [],
  ): Promise<void> {
    const { layoutId, partitions } = await this.store.namespaces.require();
    const partition = new Partitions(partitions).findForBucket(player.slice(0, 2));
    const inFlight = members.map((member) => ({ member }));
    const whole = { position, inFlight, parked: [], exhausted: [], cursors };
    const [data] = toPages(whole);
    const metadata = { ...this.context(player), $correlationId: 'r', occurredAt: '' };
    const event = { id: newUuid(), type: DELIVERY_CHECKPOINT_RECORDED, data, metadata };
    await this.store.append(backupStream(layoutId, partition), 'any', [event]);
  }

  context(player: string) {
    const { appId } = this.app;
    return { appId, environment: 'test', actor: 'cli', correlationId: 'r', now, player } as const;
  }
}

/** Long enough to stand nowhere by chance, short enough that packing leaves some of a text whole. */
const PIECE_LENGTH = 10;

/** Whether any piece of a text stands in any file of a data directory. */
export async function isOnDisk(dataDir: string, text: string): Promise<boolean> {
  const names = await readdir(dataDir, { recursive: true });
  const read = (name: string) => readFile(path.join(dataDir, name)).catch(() => Buffer.alloc(0));
  const all = await Promise.all(names.map(read));
  const pieces = Array.from({ length: Math.floor(text.length / PIECE_LENGTH) }, (_, n) =>
    text.slice(n * PIECE_LENGTH, (n + 1) * PIECE_LENGTH),
  );
  return all.some((bytes) => pieces.some((piece) => bytes.includes(piece)));
}
