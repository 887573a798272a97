import {
  canBeReplaced,
  type CreatedCheckoutLink,
  findChallenge,
  isLocked,
  lastAttempt,
} from '#domain/checkout-link';
import type { Instant } from '#domain/event';
import type { Catalogue } from '../languages/catalogue.js';

/** The state of a link's page; its script goes by it, too. */
export type PageState =
  | 'open'
  | 'declined'
  | 'unanswered'
  | 'pending'
  | 'challenged'
  | 'completed'
  | 'locked'
  | 'expired';

/**
 * Follows from the link's own events and the wall clock, so that a reload, a second window and the
 * script show the same (rules/payments 11).
 */
export function pageState(link: CreatedCheckoutLink, wallNow: Instant): PageState {
  if (link.status === 'completed') return 'completed';
  const isOver = wallNow >= link.expiresAt;
  const isSpent = isLocked(link, wallNow);
  if (link.status === 'attempting') {
    // The last attempt may still be captured: until then the page tells of no end.
    if (findChallenge(link) !== undefined) return 'challenged';
    return canPayAnotherWay(link, wallNow) ? 'unanswered' : 'pending';
  }
  if (isSpent) return 'locked';
  if (isOver) return 'expired';
  return lastAttempt(link)?.decline ? 'declined' : 'open';
}

/** Whether another method may be chosen while an attempt is on its way. */
export function canPayAnotherWay(link: CreatedCheckoutLink, wallNow: Instant): boolean {
  const isOver = wallNow >= link.expiresAt;
  return !isOver && !isLocked(link, wallNow) && canBeReplaced(link, wallNow);
}

/** That the last attempt was declined, and how long the next one has to wait. */
export function sayDeclined(pauseMs: number, { payment }: Catalogue): string {
  const seconds = Math.ceil(pauseMs / 1000);
  const { declined, pauseSeconds } = payment;
  return seconds === 0 ? declined : `${declined} ${pauseSeconds({ seconds })}`;
}
