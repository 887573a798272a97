import { laterInstant } from '../calendar/index.js';
import {
  accept,
  type AnyRejection,
  type Decision,
  defineAggregate,
  reject,
} from '../decider/index.js';
import type { Instant } from '../event/index.js';
import { deriveCheckoutPaymentId, deriveSubscriptionId } from '../ids/index.js';
import { isGreater, type Money } from '../money/index.js';
import type { Decline, NotedPayment } from '../payment/index.js';
import type { TaxedCharge, TaxRates } from '../pricing/index.js';
import { type ClaimAnswer, takeClaimAnswer } from './checkout-link.claims.js';
import type {
  ChangeAttempted,
  ChangeLinkCreated,
  CheckoutAttempted,
  CheckoutLinkCreated,
  CheckoutLinkEvent,
  LinkedChange,
} from './checkout-link.events.js';
import { canBeReplaced, isLocked, pauseLeftMs } from './checkout-link.limits.js';
import { quoteOffer } from './checkout-link.quote.js';
import {
  type CheckoutLink,
  type CreatedCheckoutLink,
  evolveCheckoutLink,
  lastAttempt,
  noCheckoutLink,
} from './checkout-link.state.js';

/** A link expires after 24 hours (rules/payments 10). */
export const CHECKOUT_LINK_LIFETIME_MS = 24 * 3_600_000;

export type CheckoutLinkCommand =
  | { readonly kind: 'CreateCheckoutLink'; readonly link: CheckoutLinkCreated['data'] }
  | { readonly kind: 'CreateChangeLink'; readonly link: ChangeLinkCreated['data'] }
  | {
      readonly kind: 'AttemptCheckout';
      readonly paymentMethod: string;
      /** Whether the plan is still for sale (rules/lifecycle 7). */
      readonly planIsAvailable: boolean;
      /** Whether the player was erased since the link was made (rules/storage 16). */
      readonly playerIsErased: boolean;
      /**
       * The amount due that the player was shown; never is more charged. Absent where the caller has not said: then the
       * player agrees to the offer's present amount. Of a change, absent where it cannot be had so now: then an attempt
       * can only be joined.
       */
      readonly shown?: Money;
      /** The moment of a change's price; absent for the present price. */
      readonly quotedAt?: Instant | null;
      /** By these an offer is taxed at the moment of the click. */
      readonly taxRates: TaxRates;
      readonly now: Instant;
      /** The link's life keeps to the wall clock (rules/payments 10). */
      readonly wallNow: Instant;
    }
  /** The bank wants the player to confirm the charge of an attempt. */
  | {
      readonly kind: 'ChallengeCheckout';
      readonly paymentId: string;
      readonly sealedUrl: string;
      readonly now: Instant;
    }
  | {
      readonly kind: 'DeclineCheckout';
      readonly paymentId: string;
      readonly decline: Decline;
      readonly now: Instant;
    }
  | (NotedPayment & {
      readonly kind: 'AcceptPayment';
      readonly capturedAt: Instant;
      readonly now: Instant;
    })
  | ClaimAnswer
  | { readonly kind: 'CompleteCheckout'; readonly subscriptionId: string; readonly now: Instant };

export interface CheckoutLinkRejection extends AnyRejection {
  readonly code:
    | 'checkout_link/amount_changed'
    | 'checkout_link/not_found'
    | 'checkout_link/expired'
    | 'checkout_link/locked'
    | 'checkout_link/paused'
    | 'checkout_link/player_erased'
    | 'plan/not_available';
  /** How long a paused link has to be left alone. */
  readonly retryAfterMs?: number;
  /** The amount due now, where that is more than was shown. */
  readonly amount?: Money;
}

type CheckoutLinkDecision = Decision<CheckoutLinkEvent, CheckoutLinkRejection>;
type AttemptCheckout = Extract<CheckoutLinkCommand, { kind: 'AttemptCheckout' }>;

/** Decides for one link. A second attempt while one is on its way joins it, and changes nothing. */
function decideCheckoutLink(
  command: CheckoutLinkCommand,
  state: CheckoutLink,
): CheckoutLinkDecision {
  if (command.kind === 'CreateCheckoutLink') {
    if (state.status !== 'none') return accept();
    return accept({ type: 'checkout_link.created.v2', data: command.link });
  }
  if (command.kind === 'CreateChangeLink') {
    if (state.status !== 'none') return accept();
    return accept({ type: 'checkout_link.change_created.v1', data: command.link });
  }
  if (state.status === 'none') return reject('checkout_link/not_found');
  switch (command.kind) {
    case 'AttemptCheckout':
      return attempt(clampWallTime(command, state), state);
    case 'ChallengeCheckout':
      return challenge(command, state);
    case 'GrantClaim':
    case 'RefuseCheckout':
      return takeClaimAnswer(command, state);
    case 'DeclineCheckout':
      return decline(command, state);
    case 'AcceptPayment':
      return acceptPayment(command, state);
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

/** The wall clock of another machine may be behind the link's last event (rules/events 3). */
function clampWallTime(command: AttemptCheckout, state: CreatedCheckoutLink): AttemptCheckout {
  const known = lastAttempt(state)?.wallAttemptedAt ?? '';
  return { ...command, wallNow: laterInstant(command.wallNow, known) };
}

function attempt(command: AttemptCheckout, state: CreatedCheckoutLink): CheckoutLinkDecision {
  if (state.status === 'completed' || joins(command, state)) return accept();
  if (command.wallNow >= state.expiresAt) return reject('checkout_link/expired', state.expiresAt);
  if (command.playerIsErased) return reject('checkout_link/player_erased');
  if (isLocked(state, command.wallNow)) return reject('checkout_link/locked');
  const retryAfterMs = pauseLeftMs(state, command.wallNow);
  if (retryAfterMs > 0) {
    return { accepted: false, rejection: { code: 'checkout_link/paused', retryAfterMs } };
  }
  if (!command.planIsAvailable) return reject('plan/not_available', state.offer.planId);
  return state.change === null
    ? attemptPurchase(command, state)
    : attemptChange(command, { ...state, change: state.change });
}

/** A change has the price that its subscription decides, up to the shown amount. */
function attemptChange(
  { shown, quotedAt = null, ...command }: AttemptCheckout,
  state: CreatedCheckoutLink & { readonly change: LinkedChange },
): CheckoutLinkDecision {
  // The player joins an attempt that has been declined since, and has not agreed to the price of a new one.
  if (shown === undefined) return reject('checkout_link/amount_changed');
  const { subscriptionId } = state.change;
  const { attempt, paymentMethod, paymentId, ...when } = nextAttempt(command, state);
  return accept<ChangeAttempted>({
    type: 'checkout_link.change_attempted.v1',
    data: { attempt, paymentMethod, subscriptionId, paymentId, shown, quotedAt, ...when },
  });
}

/** The charge is settled here: rates that change before the charge is made do not change it. */
function attemptPurchase(
  { shown, taxRates, ...command }: AttemptCheckout,
  state: CreatedCheckoutLink,
): CheckoutLinkDecision {
  const { attempts, linkId, offer } = state;
  const { dueNow } = quoteOffer(state, taxRates, command.now);
  // Less is charged as it is; more, the player has not agreed to.
  if (shown !== undefined && isGreater(dueNow.amount, shown)) return amountChanged(dueNow);
  const { attempt, paymentMethod, paymentId, ...when } = nextAttempt(command, state);
  const subscriptionId =
    attempts[0]?.subscriptionId ?? deriveSubscriptionId(linkId, when.attemptedAt);
  const payment =
    offer.trial === null ? { paymentId, charge: dueNow } : { paymentId: null, charge: null };
  return accept<CheckoutAttempted>({
    type: 'checkout_link.attempted.v1',
    data: { attempt, paymentMethod, subscriptionId, ...payment, ...when },
  });
}

function amountChanged({ amount }: TaxedCharge): CheckoutLinkDecision {
  return { accepted: false, rejection: { code: 'checkout_link/amount_changed', amount } };
}

/** Every attempt is for the one subscription that the link may become; each has its own payment. */
function nextAttempt(
  {
    paymentMethod,
    now: attemptedAt,
    wallNow: wallAttemptedAt,
  }: Pick<AttemptCheckout, 'paymentMethod' | 'now' | 'wallNow'>,
  { linkId, attempts }: CreatedCheckoutLink,
) {
  const attempt = attempts.length + 1;
  const paymentId = deriveCheckoutPaymentId(linkId, { attempt, attemptedAt });
  return { attempt, paymentMethod, paymentId, attemptedAt, wallAttemptedAt };
}

/** Only another method takes the place of an attempt without an answer: the same one asks for it again. */
function joins({ paymentMethod, wallNow }: AttemptCheckout, state: CreatedCheckoutLink): boolean {
  if (state.status !== 'attempting') return false;
  return !canBeReplaced(state, wallNow) || lastAttempt(state)?.paymentMethod === paymentMethod;
}

/** Noted once, and of an attempt without an outcome alone: also of a replaced one, which it does not bring back. */
function challenge(
  { paymentId, sealedUrl, now }: Extract<CheckoutLinkCommand, { kind: 'ChallengeCheckout' }>,
  state: CreatedCheckoutLink,
): CheckoutLinkDecision {
  const challenged = state.attempts.find((one) => one.paymentId === paymentId);
  const isOver = challenged === undefined || challenged.decline !== null || state.paidBy !== null;
  if (isOver || challenged.challenge !== null) return accept();
  return accept({
    type: 'checkout_link.challenged.v2',
    data: { attempt: challenged.attempt, sealedUrl, challengedAt: now },
  });
}

function decline(
  command: Extract<CheckoutLinkCommand, { kind: 'DeclineCheckout' }>,
  state: CreatedCheckoutLink,
): CheckoutLinkDecision {
  const declined = state.attempts.find(({ paymentId }) => paymentId === command.paymentId);
  if (declined === undefined || declined.decline !== null) return accept();
  const { reason, declineClass } = command.decline;
  return accept({
    type: 'checkout_link.declined.v1',
    data: { attempt: declined.attempt, reason, declineClass, declinedAt: command.now },
  });
}

/**
 * A payment was captured: the attempt that counts buys the link's offer, and a replaced one gives its money back.
 * Decided here, where attempts are ordered, so that never two payments are kept.
 */
function acceptPayment(
  {
    paymentId,
    paymentRevision,
    capturedAt,
    now,
  }: Extract<CheckoutLinkCommand, { kind: 'AcceptPayment' }>,
  state: CreatedCheckoutLink,
): CheckoutLinkDecision {
  if (state.paidBy === paymentId || state.latePaymentIds.includes(paymentId)) return accept();
  const last = lastAttempt(state);
  // One that was given up has failed for the payer: captured after all, it goes back.
  const counts = last?.paymentId === paymentId && last.decline === null;
  if (state.paidBy === null && counts) {
    return accept({
      type: 'checkout_link.paid.v1',
      data: { paymentId, paymentRevision, capturedAt, paidAt: now },
    });
  }
  return accept({
    type: 'checkout_link.late_outcome_recorded.v1',
    data: { paymentId, captured: true, recordedAt: now },
  });
}

export const checkoutLinkAggregate = defineAggregate('checkout_link', {
  initialState: noCheckoutLink,
  evolve: evolveCheckoutLink,
  decide: decideCheckoutLink,
});
