import { describe, expect, it } from 'vitest';
import { given } from '../decider/spec-support/given.js';
import { checkoutLinkAggregate } from './checkout-link.decide.js';
import type { CheckoutLinkEvent } from './checkout-link.events.js';
import { canBeReplaced, isLocked } from './checkout-link.limits.js';
import { type CreatedCheckoutLink, findChallenge } from './checkout-link.state.js';
import {
  attemptAt,
  attemptedNo,
  createdLink,
  declinedNo as declined,
  paidBy,
  T1,
} from './spec-support/links.js';

const { decider } = checkoutLinkAggregate;

/** The bank wants the player to confirm the charge of an attempt (rules/payments 19). */
const URL_1 = 'https://bank.example/1';
const created = createdLink();
const attempted = (attempt: number) => attemptedNo(attempt, { paymentMethod: 'pm_3ds' });
const challenged = (attempt: number): CheckoutLinkEvent => ({
  type: 'checkout_link.challenged.v2',
  data: { attempt, sealedUrl: URL_1, challengedAt: T1 },
});
const paid = paidBy('pay_1');
const challenge = {
  kind: 'ChallengeCheckout',
  paymentId: 'pay_1',
  sealedUrl: URL_1,
  now: T1,
} as const;
const attempt = (paymentMethod: string, wallNow = T1) => attemptAt(wallNow, { paymentMethod });
const open = [created, attempted(1), challenged(1)];
const after = (...history: CheckoutLinkEvent[]) => given(decider, ...history);
const link = (...history: CheckoutLinkEvent[]) => after(...history).state as CreatedCheckoutLink;

describe('an attempt that the player has to confirm', () => {
  it('is noted once, with where that is done', () => {
    expect(after(created, attempted(1)).when(challenge)).toEqual([challenged(1)]);
    expect(after(...open).when(challenge)).toEqual([]);
    expect(findChallenge(link(...open))).toMatchObject({ paymentId: 'pay_1', sealedUrl: URL_1 });
  });

  it('leads nowhere once it has its outcome, and is not noted after that', () => {
    for (const outcome of [paid, declined(1)]) {
      expect(findChallenge(link(...open, outcome))).toBeUndefined();
      expect(after(created, attempted(1), outcome).when(challenge)).toEqual([]);
    }
  });

  it('is joined by the same method, so that there is one challenge, and replaced by another', () => {
    expect(after(...open).when(attempt('pm_3ds'))).toEqual([]);
    expect(after(...open).when(attempt('pm_ok', '2027-01-31T10:05:01.000Z'))).toMatchObject([
      { type: 'checkout_link.attempted.v1', data: { attempt: 2 } },
    ]);
  });

  it('that was replaced is not brought back by its challenge', () => {
    const replaced = [created, attempted(1), attempted(2)];
    expect(after(...replaced).when(challenge)).toEqual([challenged(1)]);
    expect(findChallenge(link(...replaced, challenged(1)))).toBeUndefined();
    const state = link(...open, attempted(2), challenged(2), declined(1));
    expect(findChallenge(state)).toMatchObject({ paymentId: 'pay_2', sealedUrl: URL_1 });
  });

  it('counts as one in vain: cards are tried out no faster by it', () => {
    const three = [1, 2, 3].flatMap((number) => [attempted(number), challenged(number)]);
    expect(after(created, ...three).when(attempt('pm_ok'))).toBe('checkout_link/paused');
    const ten = Array.from({ length: 10 }, (_, index) => [
      attempted(index + 1),
      challenged(index + 1),
    ]);
    expect(isLocked(link(created, ...ten.flat()), T1)).toBe(true);
  });

  it('of a change is not replaced: the subscription takes one change at a time', () => {
    const change = { ...link(...open), change: {} as NonNullable<CreatedCheckoutLink['change']> };
    expect(canBeReplaced(change, '2027-01-31T12:00:00.000Z')).toBe(false);
  });
});
