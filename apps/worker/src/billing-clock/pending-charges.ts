import { EventEmitter, once } from 'node:events';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { categoryOf, idOf, type Position, type RecordedEvent } from '#domain/event';
import { paymentAggregate } from '#domain/payment';
import { orderAggregate, type OrderEvent } from '#domain/order';
import { subscriptionAggregate, type SubscriptionEvent } from '#domain/subscription';
import { ProgressNotifier, type ProgressObserver } from '../feed/progress-notifier.js';

/** The subjects of charges. */
const SUBJECTS: ReadonlySet<string> = new Set(
  [subscriptionAggregate, orderAggregate].map(({ category }) => category),
);

/** The events by which a subscription or order takes the outcome of a charge. */
const SETTLING: ReadonlySet<string> = new Set<(SubscriptionEvent | OrderEvent)['type']>([
  'subscription.renewed.v1',
  'subscription.renewal_failed.v2',
  'subscription.change_declined.v1',
  'subscription.plan_changed.v1',
  'subscription.late_outcome_recorded.v1',
  'order.paid.v1',
  'order.payment_declined.v1',
  'order.late_outcome_recorded.v1',
]);

/** The event by which a payment says that the gateway takes its time over it. */
const LEFT_PENDING = 'payment.pending.v1';

/** The events since it began. One of the two ends it. */
export interface News {
  /** Resolves when there is news of the charge, at once where there was. Resolves after the limit all the same. */
  waitFor(paymentId: string, limitMs: number): Promise<void>;
  end(): void;
}

/**
 * News of charges that wait for the gateway, which of them it takes its time over, and when an app's subscriptions and
 * orders last changed: a test clock must know these before it moves on.
 */
@Injectable()
export class PendingCharges implements ProgressObserver, OnModuleInit {
  /** Of test apps; until the payment has an outcome, which its subject then takes soon. */
  readonly #leftPending = new Set<string>();
  readonly #changedAt = new Map<string, Position>();
  /** Of each payment there is news of, by its id. */
  readonly #news = new EventEmitter().setMaxListeners(0);
  readonly #noting = new Set<Set<string>>();

  constructor(private readonly notifier: ProgressNotifier) {}

  onModuleInit(): void {
    this.notifier.observe(this);
  }

  onProcessed(events: readonly RecordedEvent[]): void {
    for (const event of events) {
      const paymentId = this.#take(event);
      if (paymentId === undefined) continue;
      for (const noted of this.#noting) noted.add(paymentId);
      this.#news.emit(paymentId);
    }
  }

  /** Whether the gateway is known to take its time over a charge, as far as this process has read. */
  isLeftPending(paymentId: string): boolean {
    return this.#leftPending.has(paymentId);
  }

  /** To be noted before the payment is read: an outcome that goes by meanwhile takes it back. */
  noteLeftPending(paymentId: string): void {
    this.#leftPending.add(paymentId);
  }

  forgetLeftPending(paymentId: string): void {
    this.#leftPending.delete(paymentId);
  }

  /**
   * The last event of any subscription or order of the app that was processed; events of before this process count as
   * one.
   */
  lastChangeAt(appId: string): Position {
    return this.#changedAt.get(appId) ?? this.notifier.begunAt;
  }

  /**
   * Resolves when there is news of a charge: its subject took the outcome, or the gateway takes
   * its time over it. Resolves after the limit all the same.
   */
  async waitForNews(paymentId: string, limitMs: number): Promise<void> {
    const signal = AbortSignal.timeout(limitMs);
    await once(this.#news, paymentId, { signal }).catch(() => undefined);
  }

  /** Notes all news from now on, for a payment whose id is known when a command has been answered. */
  beginNews(): News {
    const noted = new Set<string>();
    this.#noting.add(noted);
    return {
      waitFor: async (paymentId, limitMs) => {
        this.#noting.delete(noted);
        if (!noted.has(paymentId)) await this.waitForNews(paymentId, limitMs);
      },
      end: () => void this.#noting.delete(noted),
    };
  }

  /** @returns the payment that there is news of by this event, if any. */
  #take(event: RecordedEvent): string | undefined {
    const category = categoryOf(event.streamName);
    if (category === paymentAggregate.category) return this.#takeOfPayment(event);
    if (!SUBJECTS.has(category)) return undefined;
    this.#changedAt.set(event.metadata.appId, event.position);
    if (!SETTLING.has(event.type)) return undefined;
    const paymentId = findSettled(event.data as SettlingData);
    if (paymentId === undefined) return undefined;
    this.#leftPending.delete(paymentId);
    return paymentId;
  }

  #takeOfPayment({ type, streamName, metadata }: RecordedEvent): string | undefined {
    const paymentId = idOf(streamName);
    if (type !== LEFT_PENDING) this.#leftPending.delete(paymentId);
    else if (metadata.environment === 'test') this.#leftPending.add(paymentId);
    return type === LEFT_PENDING ? paymentId : undefined;
  }
}

/** A change names its payment by itself, and none where nothing was charged for it. */
interface SettlingData {
  readonly paymentId?: string;
  readonly payment?: { readonly paymentId: string } | null;
}

function findSettled({ paymentId, payment }: SettlingData): string | undefined {
  return paymentId ?? payment?.paymentId;
}
