import { randomBytes, randomUUID } from 'node:crypto';
import { addMilliseconds, addPeriods, fromMilliseconds } from '#domain/calendar';
import type { DomainEvent, EventMetadata, Instant } from '#domain/event';
import { derivePeriodPaymentId, ENTROPY_BYTES, formatId } from '#domain/ids';
import type { PaymentEvent } from '#domain/payment';
import type { SubscriptionEvent } from '#domain/subscription';
import type { EventToAppend, LedgerStore } from '#event-store';
import { forEachConcurrently, wallClock } from '#platform';
import { periodCharge } from '../../libs/domain/src/payment/spec-support/period-charge.js';
import type { WrittenLedger, WrittenPlayer } from '../support/written-ledger.js';

const MONTH = { value: 1, unit: 'month' } as const;
const DAY_MS = 86_400_000;
const AMOUNT = { amountMinor: '999', currency: 'USD' };
const METHOD = { paymentMethodSubType: 'visa', issuerBank: 'Example Bank' };
const WRITTEN_AT_ONCE = 64;
/** The first period is free: it needs no checkout, which a worker would look for. */
const FIRST_PAID = 2;
/** A studio's own id of a player, so long that a body has 1 kB. */
const ACCOUNT_ID = 'player-'.padEnd(600, 'x');

/** A subscription in the store, and how far it is. */
interface Subject extends WrittenPlayer {
  readonly id: string;
  revision: number;
  sequence: number;
  isCanceled: boolean;
}

/** One event to append, and the name of its message. */
export interface NextEvent {
  readonly streamName: string;
  readonly expected: number;
  readonly event: EventToAppend;
  /** The subject and the number in it. */
  readonly message: string;
}

/**
 * Subscriptions of one app whose payments were made before its endpoints were there, so that none of it is sent.
 * From then on each is canceled and taken back in turns: one message an event.
 */
export class DeliverySubjects {
  readonly #subjects: Subject[] = [];
  #next = 0;

  private constructor(
    private readonly store: LedgerStore,
    private readonly appId: string,
  ) {}

  /** Writes so many subscriptions with so many payments each. */
  static async write(
    store: LedgerStore,
    ledger: WrittenLedger,
    appId: string,
    { count, payments }: { readonly count: number; readonly payments: number },
  ): Promise<DeliverySubjects> {
    const subjects = new DeliverySubjects(store, appId);
    const numbers = Array.from({ length: count }, (_, n) => n);
    await forEachConcurrently(numbers, WRITTEN_AT_ONCE, async () => {
      const player = await ledger.registerPlayer(appId, ACCOUNT_ID);
      subjects.#subjects.push(await subjects.#writeHistory(player, payments));
    });
    return subjects;
  }

  /** The next events, to one subject after the other. */
  next(): NextEvent {
    const subject = this.#subjects[this.#next % this.#subjects.length];
    if (subject === undefined) throw new Error('there is no subject');
    this.#next += 1;
    const { id, player } = subject;
    const now = wallClock.now();
    const event: SubscriptionEvent = !subject.isCanceled
      ? {
          type: 'subscription.canceled.v1',
          data: { canceledAt: now, accessEndsAt: addMilliseconds(now, DAY_MS) },
        }
      : { type: 'subscription.reactivated.v1', data: { reactivatedAt: now } };
    const expected = subject.revision;
    subject.revision += 1;
    subject.sequence += 1;
    subject.isCanceled = !subject.isCanceled;
    return {
      ...{ streamName: `subscription-${id}`, expected },
      event: toStored(event, this.#metadata(player, now)),
      message: `${id} ${subject.sequence}`,
    };
  }

  /** Appends so many events, as fast as the store takes them. @returns their messages. */
  async appendAll(count: number): Promise<string[]> {
    const messages: string[] = [];
    const size = this.#subjects.length;
    // Two events of a subject are not appended at once.
    for (let done = 0; done < count; done += size) {
      const events = Array.from({ length: Math.min(size, count - done) }, () => this.next());
      messages.push(...events.map(({ message }) => message));
      await forEachConcurrently(events, WRITTEN_AT_ONCE, (next) => this.append(next));
    }
    return messages;
  }

  async append({ streamName, expected, event }: NextEvent): Promise<void> {
    await this.store.append(streamName, expected, [event]);
  }

  async #writeHistory(by: WrittenPlayer, payments: number): Promise<Subject> {
    const begun = fromMilliseconds(Date.now() - (payments * 31 + 15) * DAY_MS);
    const id = formatId('sub', begun, by.player.slice(0, 2), randomBytes(ENTROPY_BYTES));
    const events: SubscriptionEvent[] = [];
    events.push(created(this.appId, id, by, begun));
    for (let number = FIRST_PAID; number < FIRST_PAID + payments; number += 1) {
      const dueAt = addPeriods(begun, MONTH, number - 1);
      const paymentId = derivePeriodPaymentId(id, { dueAt, attempt: 1 });
      const written = { appId: this.appId, id, by, dueAt, number, paymentId };
      await this.#append(`payment-${paymentId}`, paymentEvents(written), by, begun);
      events.push(...subscriptionEvents(written));
    }
    await this.#append(`subscription-${id}`, events, by, begun);
    return {
      ...by,
      id,
      revision: events.length - 1,
      sequence: 1 + payments * 2,
      isCanceled: false,
    };
  }

  async #append(
    streamName: string,
    events: readonly DomainEvent[],
    { player }: WrittenPlayer,
    occurredAt: Instant,
  ): Promise<void> {
    const metadata = this.#metadata(player, occurredAt);
    const stored = events.map((event) => toStored(event, metadata));
    await this.store.append(streamName, 'no_stream', stored);
  }

  /** As the executor writes it. */
  #metadata(player: string, occurredAt: Instant): EventMetadata {
    return {
      ...{ $correlationId: randomUUID(), $causationId: randomUUID(), actor: 'app' },
      ...{ appId: this.appId, player, environment: 'test', occurredAt },
      ...{ commandId: randomUUID(), commandHash: randomBytes(16).toString('hex') },
    };
  }
}

interface Period {
  readonly appId: string;
  readonly id: string;
  readonly by: WrittenPlayer;
  readonly dueAt: Instant;
  readonly number: number;
  readonly paymentId: string;
}

function toStored({ type, data }: DomainEvent, metadata: EventMetadata): EventToAppend {
  return { id: randomUUID(), type, data, metadata };
}

function paymentEvents({ appId, id, by, dueAt, number, paymentId }: Period): PaymentEvent[] {
  const charge = periodCharge({ subscriptionId: id, amount: AMOUNT, start: dueAt, number });
  return [
    {
      type: 'payment.requested.v3',
      data: {
        ...{ paymentId, appId, ...by, checkoutLinkId: 'link_bench', paymentMethod: 'pm_card' },
        ...{ ...charge, requestedAt: dueAt },
      },
    },
    { type: 'payment.captured.v1', data: { ...METHOD, capturedAt: addMilliseconds(dueAt, 1_234) } },
  ];
}

function created(
  appId: string,
  id: string,
  by: WrittenPlayer,
  createdAt: Instant,
): SubscriptionEvent {
  const data = {
    ...{ subscriptionId: id, appId, ...by, planId: 'plan_bench', price: AMOUNT },
    ...{ period: MONTH, trial: null, paymentMethod: 'pm_card', checkoutLinkId: 'link_bench' },
    ...{ regionCode: 'US', createdAt, billingAnchor: createdAt, trialEnd: null },
    ...{ currentPeriodEnd: addPeriods(createdAt, MONTH, 1), initialPayment: null },
  };
  return { type: 'subscription.created.v2', data };
}

function subscriptionEvents({ dueAt, number, paymentId }: Period): SubscriptionEvent[] {
  const end = addPeriods(dueAt, MONTH, 1);
  const noted = { paymentId, paymentRevision: 1 };
  const period = { number, start: dueAt, end };
  const asked = { paymentId, period, attempt: 1, amount: AMOUNT, requestedAt: dueAt };
  return [
    { type: 'subscription.renewal_requested.v1', data: { ...asked, graceEndsAt: end } },
    {
      type: 'subscription.renewed.v1',
      data: { ...noted, dueAt, renewedAt: dueAt, currentPeriodEnd: end },
    },
  ];
}
