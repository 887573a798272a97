import { setTimeout as sleep } from 'node:timers/promises';
import { derivePeriodPaymentId, readBucket } from '#domain/ids';
import type { PaymentEvent } from '#domain/payment';
import { subscriptionAggregate } from '#domain/subscription';
import { webhookEndpointAggregate } from '#domain/webhook-endpoint';
import { eventsToAppend } from '#event-store';
import { newId, wallClock } from '#platform';
import { periodCharge } from '../../../libs/domain/src/payment/spec-support/period-charge.js';
import type { Random } from '../edge/random.js';
import type { BreakableLedger } from './ledger.js';
import { listOwedMessages } from './owed-messages.js';
import type { MoodyReceiver } from './receiver.js';

const APPS = 2;
/** The selectors of each app's endpoints, and the same in other words. */
const ENDPOINTS: readonly (readonly [readonly string[], (type: string) => boolean])[] = [
  [['*'], () => true],
  [['subscription.*'], (type) => type.startsWith('subscription.')],
  [['payment.succeeded', 'subscription.canceled'], (type) => /\.(succeeded|canceled)$/.test(type)],
  [['dispute.*'], () => false],
];
const PRICE = { amountMinor: '999', currency: 'USD' };
const MONTH = { value: 1, unit: 'month' } as const;
/** Of the events that begin a subscription: many subjects, so that few messages wait for each other. */
const NEW_SHARE = 0.3;
const EVERY_MS = 15;

/** Of the events, those by which a message that was delivered is asked for again. */
const RESENT_SHARE = 0.1;

/** A message that an endpoint has accepted, and is sent once more. */
export interface Resend {
  readonly endpointId: string;
  readonly messageId: string;
  /** Before it was asked for, by this process' clock. */
  readonly atMs: number;
}

/** Subscriptions of several apps that begin, are canceled and are taken back; and their resends. */
export class Traffic {
  readonly #appIds: string[] = [];
  readonly #subjects: { readonly id: string; readonly appId: string; isCanceled: boolean }[] = [];

  readonly resends: Resend[] = [];

  constructor(
    private readonly ledger: BreakableLedger,
    private readonly receiver: MoodyReceiver,
    private readonly random: Random,
  ) {}

  get subscriptionIds(): readonly string[] {
    return this.#subjects.map(({ id }) => id);
  }

  async open(): Promise<void> {
    const { receiver } = this;
    const { written } = this.ledger;
    for (let app = 0; app < APPS; app += 1) {
      const { appId } = await written.createApp();
      this.#appIds.push(appId);
      for (const [n, [eventTypes, wants]] of ENDPOINTS.entries()) {
        const name = `app-${app}/endpoint-${n}`;
        const added = await written.addEndpoint(appId, receiver.url(name), eventTypes);
        receiver.know(name, { appId, wants, ...added });
      }
    }
  }

  /** So many events, one after the other. */
  async flow(events: number): Promise<void> {
    for (let n = 0; n < events; n += 1) {
      if (this.#subjects.length < APPS || this.random.chance(NEW_SHARE)) await this.#begin();
      else if (this.random.chance(RESENT_SHARE)) await this.#resend();
      else await this.#change();
      await sleep(EVERY_MS);
    }
  }

  /** A subscription with its first payment: one event, two messages. */
  async #begin(): Promise<void> {
    const { written, store } = this.ledger;
    const appId = this.random.pick(this.#appIds);
    const now = wallClock.now();
    const by = await written.registerPlayer(appId, `player-${this.#subjects.length}`);
    const id = newId('sub', now, readBucket(by.player));
    const paymentId = derivePeriodPaymentId(id, { dueAt: now, attempt: 1 });
    const shared = { appId, ...by, paymentMethod: 'pm_ok', checkoutLinkId: 'link_chaos' };
    const charge = periodCharge({ subscriptionId: id, amount: PRICE, start: now, number: 1 });
    const method = { paymentMethodSubType: 'visa', issuerBank: 'Example Bank' };
    const paid: PaymentEvent[] = [
      { type: 'payment.requested.v3', data: { paymentId, ...shared, ...charge, requestedAt: now } },
      { type: 'payment.captured.v1', data: { ...method, capturedAt: now } },
    ];
    const context = { ...written.context(appId), player: by.player };
    await store.append(`payment-${paymentId}`, 'no_stream', eventsToAppend(paid, context, now));
    const terms = {
      ...{ ...shared, subscriptionId: id, planId: 'plan_chaos', period: MONTH, trial: null },
      ...{ price: PRICE, regionCode: 'US' },
    };
    const initialPayment = { paymentId, paymentRevision: 1 };
    const command = { kind: 'CreateSubscription', terms, initialPayment, now } as const;
    await written.commands.execute(subscriptionAggregate, id, command, context);
    this.#subjects.push({ id, appId, isCanceled: false });
  }

  async #change(): Promise<void> {
    const subject = this.random.pick(this.#subjects);
    const { id, appId, isCanceled } = subject;
    const { written } = this.ledger;
    const now = wallClock.now();
    const command = isCanceled
      ? ({ kind: 'ReactivateSubscription', now } as const)
      : ({ kind: 'CancelSubscription', cancelAtPeriodEnd: true, now } as const);
    await written.commands.execute(subscriptionAggregate, id, command, written.context(appId));
    subject.isCanceled = !isCanceled;
  }

  /** Of a subscription, a message that came to an endpoint; none where none has come yet. */
  async #resend(): Promise<void> {
    const { written } = this.ledger;
    const owed = await listOwedMessages(this.ledger, this.random.pick(this.#subjects).id);
    const places = new Map(owed.map((message) => [message.id, message]));
    const accepted = this.receiver.arrivals.filter(
      ({ isAccepted, messageId }) => isAccepted && places.has(messageId),
    );
    if (accepted.length === 0) return;
    const { endpointId, messageId } = this.random.pick(accepted);
    const { appId, streamName, revision } = places.get(messageId)!;
    const resend = { messages: [{ streamName, revision, messageId }], restAfter: null };
    const command = { kind: 'RequestResend', resend, now: wallClock.now() } as const;
    const atMs = performance.now();
    const aggregate = webhookEndpointAggregate;
    await written.commands.execute(aggregate, endpointId, command, written.context(appId));
    this.resends.push({ endpointId, messageId, atMs });
  }
}
