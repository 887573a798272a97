import { bookOn, type Day, dayAt, type Measured, SubscriptionMeasures } from '#domain/bookkeeping';
import type { PaymentEvent } from '#domain/payment';
import type { SubscriptionEvent } from '#domain/subscription';
import type { PeriodBooks } from './period-books.js';
import type { EventInOrder } from './read-books.js';

/** An event that changed a measure of its subscription, with its place in the books. */
export interface MeasuredEvent extends Measured {
  readonly eventId: string;
  readonly eventType: string;
  readonly effectiveOn: Day;
  /** Whether it is booked in the period of the report, and not before. */
  readonly isInPeriod: boolean;
}

const CATEGORIES: ReadonlySet<string> = new Set(['payment', 'subscription']);

/** The events up to the end of a report's scope that changed a measure, in the order of leaves (rules/finance 40). */
export async function* readMeasures({ books, scope }: PeriodBooks): AsyncGenerator<MeasuredEvent> {
  const measures = new SubscriptionMeasures();
  for await (const booked of books.events(CATEGORIES)) {
    if (!isMeasured(booked.event)) continue;
    const { id: eventId, type: eventType } = booked.event;
    const measured = measures.take(booked.event);
    if (measured === undefined) continue;
    const effectiveOn = dayAt(measured.happenedAt, booked.policy.zone);
    const { period } = bookOn(effectiveOn, booked.closedThrough);
    if (period > scope.period || effectiveOn > scope.effectiveUntil) continue;
    yield { ...measured, eventId, eventType, effectiveOn, isInPeriod: period === scope.period };
  }
}

type OfMeasures = EventInOrder['event'] & (PaymentEvent | SubscriptionEvent);

/** A command that changed nothing may have left an event in these streams, too. */
function isMeasured(event: EventInOrder['event']): event is OfMeasures {
  return event.type.startsWith('payment.') || event.type.startsWith('subscription.');
}
