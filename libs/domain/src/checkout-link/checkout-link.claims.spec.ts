import { describe, expect, it } from 'vitest';
import { given } from '../decider/spec-support/given.js';
import { findClaim, takeClaimAnswer } from './checkout-link.claims.js';
import { checkoutLinkAggregate } from './checkout-link.decide.js';
import type { CheckoutLinkEvent } from './checkout-link.events.js';
import type { CreatedCheckoutLink } from './checkout-link.state.js';
import {
  attemptAt,
  attemptedNo as attempted,
  createdLink,
  offer as monthly,
  T1 as NOW,
} from './spec-support/links.js';

const { decider } = checkoutLinkAggregate;

const bounds = { trialOncePerPlayer: true, onePerPlayer: true, exclusiveGroup: 'passes' };
const offer = { ...monthly, bounds };
const created = createdLink({ linkId: 'cl_1', offer });
const grant = (attempt: number) => ({ kind: 'GrantClaim', attempt, now: NOW }) as const;
const granted = (attempt: number): CheckoutLinkEvent => ({
  type: 'checkout_link.claim_granted.v1',
  data: { attempt, grantedAt: NOW },
});
const refusal = 'player_plans/plan_held';
const refuse = (attempt: number) =>
  ({ kind: 'RefuseCheckout', attempt, refusal, now: NOW }) as const;
const refused = (attempt: number): CheckoutLinkEvent => ({
  type: 'checkout_link.refused.v1',
  data: { attempt, refusal, refusedAt: NOW },
});
const after = (...history: CheckoutLinkEvent[]) => given(decider, created, ...history);
const fold = (...history: CheckoutLinkEvent[]) => after(...history).state as CreatedCheckoutLink;

describe('the claim of an attempt on a link', () => {
  it('is answered once, whatever the answer', () => {
    expect(after(attempted(1)).when(grant(1))).toEqual([granted(1)]);
    expect(after(attempted(1)).when(refuse(1))).toEqual([refused(1)]);
    for (const answered of [granted(1), refused(1)]) {
      expect(after(attempted(1), answered).when(grant(1))).toEqual([]);
      expect(after(attempted(1), answered).when(refuse(1))).toEqual([]);
    }
    expect(after(attempted(1)).when(grant(2))).toEqual([]);
    expect(takeClaimAnswer(grant(1), fold())).toMatchObject({ events: [] });
  });

  it('leaves a granted attempt under way, and opens the link again where it is refused', () => {
    expect(fold(attempted(1), granted(1))).toMatchObject({
      status: 'attempting',
      attempts: [{ isGranted: true, refusal: null }],
    });
    expect(fold(attempted(1), refused(1))).toMatchObject({
      status: 'open',
      attempts: [{ isGranted: false, refusal, decline: null }],
    });
    // A replaced attempt says nothing of the one that counts.
    expect(fold(attempted(1), attempted(2), refused(1)).status).toBe('attempting');
  });

  it('can be made anew by a further click, without a pause: no card was tried', () => {
    const next = attemptAt(NOW);
    const many = Array.from({ length: 6 }, (_, n) => [attempted(n + 1), refused(n + 1)]).flat();
    expect(after(...many).when(next)).toMatchObject([{ data: { attempt: 7 } }]);
  });

  it('is of the plan that is offered, and named by the link and its attempt', () => {
    const link = fold(attempted(1));
    const asked = { attempt: 2, subscriptionId: 'sub_1' };
    const claim = { claimId: 'cl_1/2', linkId: 'cl_1', ...asked, planId: 'plan_1', bounds };
    expect(findClaim(link, asked)).toEqual({ ...claim, hasTrial: false });
    const trial = { value: 1, unit: 'week' } as const;
    const onTrial = { ...link, offer: { ...offer, trial } };
    expect(findClaim(onTrial, asked)).toEqual({ ...claim, hasTrial: true });
    expect(findClaim({ ...link, offer: { ...offer, bounds: null } }, asked)).toBeNull();
  });
});
