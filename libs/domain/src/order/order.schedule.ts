import { addHours } from '../calendar/index.js';
import type { Instant } from '../event/index.js';
import type { OrderAttempted, OrderCreated, OrderEvent } from './order.events.js';

/** An attempt that has no outcome yet. */
export type OpenAttempt = Pick<OrderAttempted['data'], 'attempt' | 'paymentId' | 'attemptedAt'>;

/** The part of an order's state that decides its due dates (rules/orders 5). */
export interface OrderSchedule {
  /** Whether it can still be paid, or run out. */
  readonly isOpen: boolean;
  readonly expiresAt: Instant;
  /** Those that were replaced among them: the oldest first. */
  readonly openAttempts: readonly OpenAttempt[];
  /** The number of the attempt that counts; 0 before the first one. */
  readonly lastAttempt: number;
}

/** An attempt without an outcome is given up after so long (rules/orders 5). */
const OPEN_AT_MOST_HOURS = 24;

/** When the charge of an attempt is given up, by the app's clock. */
export function orderAttemptEndsAt({
  attemptedAt,
}: Pick<OrderAttempted['data'], 'attemptedAt'>): Instant {
  return addHours(attemptedAt, OPEN_AT_MOST_HOURS);
}

/**
 * When something will have to happen by itself: a charge is to be given up, or the order runs out, for which it
 * waits until no attempt that counts is on its way (rules/orders 5). Null for nothing.
 */
export function scheduleDueAt(schedule: OrderSchedule): Instant | null {
  const { isOpen, expiresAt, openAttempts, lastAttempt } = schedule;
  const ends = openAttempts.map(orderAttemptEndsAt);
  const isAttempting = openAttempts.some(({ attempt }) => attempt === lastAttempt);
  const [first = null] = (isOpen && !isAttempting ? [...ends, expiresAt] : ends).sort();
  return first;
}

/** Whether nothing can be due any more, whatever happens. */
export function isScheduleOver({ isOpen, openAttempts }: OrderSchedule): boolean {
  return !isOpen && openAttempts.length === 0;
}

export function beginSchedule({
  expiresAt,
}: Pick<OrderCreated['data'], 'expiresAt'>): OrderSchedule {
  return { isOpen: true, expiresAt, openAttempts: [], lastAttempt: 0 };
}

/** Folds one event, keeping whatever else the state holds; total. */
export function evolveSchedule<State extends OrderSchedule>(
  before: State,
  event: OrderEvent,
): State {
  switch (event.type) {
    case 'order.attempted.v1': {
      const { attempt, paymentId, attemptedAt } = event.data;
      const openAttempts = [...before.openAttempts, { attempt, paymentId, attemptedAt }];
      return { ...before, openAttempts, lastAttempt: attempt };
    }
    case 'order.payment_declined.v1':
    case 'order.late_outcome_recorded.v1':
      return { ...before, openAttempts: without(before, event.data.paymentId) };
    case 'order.paid.v1':
      return { ...before, openAttempts: without(before, event.data.paymentId), isOpen: false };
    case 'order.claimed.v1':
    case 'order.canceled.v1':
    case 'order.expired.v1':
      return { ...before, isOpen: false };
    default:
      return before;
  }
}

function without({ openAttempts }: OrderSchedule, paymentId: string): readonly OpenAttempt[] {
  return openAttempts.filter((open) => open.paymentId !== paymentId);
}
