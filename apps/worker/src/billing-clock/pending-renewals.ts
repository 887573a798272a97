import { Injectable, type OnModuleInit } from '@nestjs/common';
import { categoryOf, idOf, type Position, type RecordedEvent } from '#domain/event';
import { subscriptionAggregate, type SubscriptionEvent } from '#domain/subscription';
import { ProgressNotifier, type ProgressObserver } from '../feed/progress-notifier.js';

/** The events by which a subscription takes the outcome of a charge. */
const SETTLING: ReadonlySet<string> = new Set<SubscriptionEvent['type']>([
  'subscription.renewed.v1',
  'subscription.renewal_failed.v2',
  'subscription.late_outcome_recorded.v1',
]);

/** The event by which a subscription asks for a charge. */
const RENEWAL_REQUESTED: SubscriptionEvent['type'] = 'subscription.renewal_requested.v1';
/** The event by which a payment says that the gateway takes its time over it. */
const LEFT_PENDING = 'payment.pending.v1';

export interface PendingRenewal {
  readonly paymentId: string;
  readonly subscriptionId: string;
}

/** What there is news of since it began. One of the two ends it. */
export interface News {
  /** Resolves when there is news of the charge, at once where there was. Resolves after the limit all the same. */
  waitFor(paymentId: string, limitMs: number): Promise<void>;
  end(): void;
}

/**
 * Which renewals of an app have asked for a charge and have no outcome yet, and when its subscriptions
 * last changed: what a test clock must know before it moves on, in whatever way the charge came about.
 */
@Injectable()
export class PendingRenewals implements ProgressObserver, OnModuleInit {
  readonly #pending = new Map<string, Map<string, PendingRenewal>>();
  readonly #changedAt = new Map<string, Position>();
  readonly #listeners = new Map<string, Set<() => void>>();
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
      for (const notify of this.#listeners.get(paymentId) ?? []) notify();
    }
  }

  /** A renewal that was asked for before this process began; it may have its outcome by now. */
  onStillInFlight(event: RecordedEvent): void {
    if (event.type === RENEWAL_REQUESTED) this.#remember(event);
  }

  list(appId: string): PendingRenewal[] {
    return [...(this.#pending.get(appId)?.values() ?? [])];
  }

  /** The last event of any subscription of the app that was processed; sorts first when there is none. */
  lastChangeAt(appId: string): Position {
    return this.#changedAt.get(appId) ?? '';
  }

  /**
   * Resolves when there is news of a charge: its subscription took the outcome, or the gateway takes
   * its time over it. Resolves after the limit all the same.
   */
  async waitForNews(paymentId: string, limitMs: number): Promise<void> {
    const listeners = this.#listeners.get(paymentId) ?? new Set();
    this.#listeners.set(paymentId, listeners);
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        listeners.delete(end);
        if (listeners.size === 0) this.#listeners.delete(paymentId);
        resolve();
      };
      const timer = setTimeout(end, limitMs);
      listeners.add(end);
    });
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
    if (event.type === LEFT_PENDING) return idOf(event.streamName);
    if (categoryOf(event.streamName) !== subscriptionAggregate.category) return undefined;
    const { appId } = event.metadata;
    this.#changedAt.set(appId, event.position);
    if (event.type === RENEWAL_REQUESTED) this.#remember(event);
    if (!SETTLING.has(event.type)) return undefined;
    const { paymentId } = event.data as { paymentId: string };
    this.#pending.get(appId)?.delete(paymentId);
    return paymentId;
  }

  #remember({ data, metadata: { appId }, streamName }: RecordedEvent): void {
    const { paymentId } = data as { paymentId: string };
    const pending = this.#pending.get(appId) ?? new Map<string, PendingRenewal>();
    this.#pending.set(appId, pending);
    pending.set(paymentId, { paymentId, subscriptionId: idOf(streamName) });
  }
}
