import { categoryOf, idOf, type Position, type RecordedEvent } from '#domain/event';
import { subscriptionAggregate } from '#domain/subscription';

/** The events by which a subscription takes the outcome of a charge. */
const SETTLING: ReadonlySet<string> = new Set([
  'subscription.renewed.v1',
  'subscription.renewal_failed.v1',
  'subscription.late_outcome_recorded.v1',
]);

/** The event by which a subscription asks for a charge. */
export const RENEWAL_REQUESTED = 'subscription.renewal_requested.v1';

export interface PendingRenewal {
  readonly paymentId: string;
  readonly subscriptionId: string;
}

/**
 * Which renewals of an app have asked for a charge and have no outcome yet, and when its subscriptions
 * last changed: what a test clock must know before it moves on, whoever asked for the charge.
 */
export class Renewals {
  readonly #pending = new Map<string, Map<string, PendingRenewal>>();
  readonly #changedAt = new Map<string, Position>();

  /** @returns the payment that this event settles, if it does. */
  note(event: RecordedEvent): string | undefined {
    if (categoryOf(event.streamName) !== subscriptionAggregate.category) return undefined;
    const { appId } = event.metadata;
    this.#changedAt.set(appId, event.position);
    if (event.type === RENEWAL_REQUESTED) this.remember(event);
    if (!SETTLING.has(event.type)) return undefined;
    const { paymentId } = event.data as { paymentId: string };
    this.#pending.get(appId)?.delete(paymentId);
    return paymentId;
  }

  /** A renewal that was asked for before this process began; it may have its outcome by now. */
  remember({ data, metadata, streamName }: RecordedEvent): void {
    const { paymentId } = data as { paymentId: string };
    const ofApp = this.#pending.get(metadata.appId) ?? new Map<string, PendingRenewal>();
    this.#pending.set(metadata.appId, ofApp);
    ofApp.set(paymentId, { paymentId, subscriptionId: idOf(streamName) });
  }

  pendingOf(appId: string): PendingRenewal[] {
    return [...(this.#pending.get(appId)?.values() ?? [])];
  }

  /** The last event of any subscription of the app that was worked off; sorts first when there is none. */
  changedAt(appId: string): Position {
    return this.#changedAt.get(appId) ?? '';
  }
}
