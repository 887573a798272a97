import {
  accept,
  type AnyRejection,
  type Decider,
  type Decision,
  reject,
} from '../decider/index.js';
import type { Instant } from '../fact/index.js';
import type { Decline } from '../payment/index.js';
import type { CheckoutLinkCreated, CheckoutLinkEvent } from './checkout-link.events.js';
import {
  type CheckoutLink,
  type CreatedCheckoutLink,
  evolveCheckoutLink,
  noCheckoutLink,
} from './checkout-link.state.js';

/** decisions 11: a link expires after 24 hours. */
export const CHECKOUT_LINK_LIFETIME_MS = 24 * 3_600_000;

export type CheckoutLinkCommand =
  | { readonly kind: 'CreateCheckoutLink'; readonly link: CheckoutLinkCreated['data'] }
  | {
      readonly kind: 'AttemptCheckout';
      readonly paymentMethod: string;
      /** Ids to use if this attempt starts one; an earlier attempt's subscription id is kept. */
      readonly subscriptionId: string;
      readonly paymentId: string;
      /** Whether the plan is still for sale (decisions 6, "Price lock"). */
      readonly planIsAvailable: boolean;
      readonly now: Instant;
      /** The link's life keeps to the wall clock (decisions 11). */
      readonly wallNow: Instant;
    }
  | {
      readonly kind: 'DeclineCheckout';
      readonly paymentId: string;
      readonly decline: Decline;
      readonly now: Instant;
    }
  | { readonly kind: 'CompleteCheckout'; readonly subscriptionId: string; readonly now: Instant };

export interface CheckoutLinkRejection extends AnyRejection {
  readonly code: 'checkout_link/not_found' | 'checkout_link/expired' | 'plan/not_available';
}

type CheckoutLinkDecision = Decision<CheckoutLinkEvent, CheckoutLinkRejection>;

/** Decides for one link. A second attempt while one is on its way joins it, and changes nothing. */
function decideCheckoutLink(
  command: CheckoutLinkCommand,
  state: CheckoutLink,
): CheckoutLinkDecision {
  if (command.kind === 'CreateCheckoutLink') {
    if (state.status !== 'none') return accept();
    return accept({ type: 'checkout_link.created.v1', data: command.link });
  }
  if (state.status === 'none') return reject('checkout_link/not_found');
  switch (command.kind) {
    case 'AttemptCheckout':
      return attempt(command, state);
    case 'DeclineCheckout':
      return decline(command, state);
    case 'CompleteCheckout': {
      if (state.status === 'completed') return accept();
      const { subscriptionId, now } = command;
      return accept({
        type: 'checkout_link.completed.v1',
        data: { subscriptionId, completedAt: now },
      });
    }
  }
}

function attempt(
  command: Extract<CheckoutLinkCommand, { kind: 'AttemptCheckout' }>,
  state: CreatedCheckoutLink,
): CheckoutLinkDecision {
  if (state.status !== 'open') return accept();
  if (command.wallNow >= state.expiresAt) return reject('checkout_link/expired', state.expiresAt);
  if (!command.planIsAvailable) return reject('plan/not_available', state.offer.planId);
  return accept({
    type: 'checkout_link.attempted.v1',
    data: {
      attempt: (state.lastAttempt?.attempt ?? 0) + 1,
      paymentMethod: command.paymentMethod,
      subscriptionId: state.lastAttempt?.subscriptionId ?? command.subscriptionId,
      paymentId: state.offer.trial === null ? command.paymentId : null,
      attemptedAt: command.now,
    },
  });
}

function decline(
  command: Extract<CheckoutLinkCommand, { kind: 'DeclineCheckout' }>,
  state: CreatedCheckoutLink,
): CheckoutLinkDecision {
  if (state.status !== 'attempting' || state.lastAttempt?.paymentId !== command.paymentId) {
    return accept();
  }
  const { reason, declineClass } = command.decline;
  const { attempt: number } = state.lastAttempt;
  return accept({
    type: 'checkout_link.declined.v1',
    data: { attempt: number, reason, declineClass, declinedAt: command.now },
  });
}

export const checkoutLinkDecider: Decider<
  CheckoutLink,
  CheckoutLinkCommand,
  CheckoutLinkEvent,
  CheckoutLinkRejection
> = { initialState: noCheckoutLink, evolve: evolveCheckoutLink, decide: decideCheckoutLink };
