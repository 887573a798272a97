import { unknownEvent } from '../decider/index.js';
import type { PlanRefusal } from '../player-plans/index.js';
import type {
  ChangeAttempted,
  CheckoutAttempted,
  CheckoutChallenged,
  CheckoutDeclined,
  CheckoutLinkCreated,
  CheckoutLinkEvent,
  LinkedChange,
} from './checkout-link.events.js';

/** One attempt to pay, with the challenge of its bank, and its decline or refusal if there was one. */
export type CheckoutAttempt = (CheckoutAttempted['data'] | ChangeAttempted['data']) &
  AttemptProgress;

interface AttemptProgress {
  readonly challenge: CheckoutChallenged['data'] | null;
  readonly decline: CheckoutDeclined['data'] | null;
  /** Whether the player may have the plan; false until that is known, and where nothing bounds the plan. */
  readonly isGranted: boolean;
  readonly refusal: PlanRefusal | null;
}

/**
 * open: may be paid; attempting: a charge is on its way; completed: used up (by success only). After
 * a decline or a refusal it is open again. Expiry is no event: it follows from the clock.
 */
export type CheckoutLink =
  | { readonly status: 'none' }
  | (CheckoutLinkCreated['data'] & {
      /** Null where the link sells a subscription. */
      readonly change: LinkedChange | null;
      readonly status: 'open' | 'attempting' | 'completed';
      /** In their order; few, since a link is locked after some (rules/payments 2). */
      readonly attempts: readonly CheckoutAttempt[];
      /** The one payment that the link keeps; null until it is captured. */
      readonly paidBy: string | null;
      /** Payments of replaced attempts that were captured all the same, and are given back. */
      readonly latePaymentIds: readonly string[];
    });

export type CreatedCheckoutLink = Exclude<CheckoutLink, { status: 'none' }>;

export const noCheckoutLink: CheckoutLink = { status: 'none' };

const NEW_ATTEMPT: AttemptProgress = {
  challenge: null,
  decline: null,
  isGranted: false,
  refusal: null,
};

/** The attempt that counts: a later one takes the place of one that was not answered. */
export function lastAttempt({ attempts }: CreatedCheckoutLink): CheckoutAttempt | undefined {
  return attempts.at(-1);
}

/**
 * Where the player confirms the charge of the attempt that counts; undefined where the bank does not want
 * that, or where the attempt has its outcome (rules/payments 19).
 */
export function findChallenge(
  link: CreatedCheckoutLink,
): { readonly appId: string; readonly paymentId: string; readonly sealedUrl: string } | undefined {
  if (link.status !== 'attempting' || link.paidBy !== null) return undefined;
  const { challenge = null, paymentId = null } = lastAttempt(link) ?? {};
  if (challenge === null || paymentId === null) return undefined;
  return { appId: link.appId, paymentId, sealedUrl: challenge.sealedUrl };
}

/** Folds one event of a link. */
export function evolveCheckoutLink(state: CheckoutLink, event: CheckoutLinkEvent): CheckoutLink {
  if (
    event.type === 'checkout_link.created.v2' ||
    event.type === 'checkout_link.change_created.v1'
  ) {
    if (state.status !== 'none') return state;
    const progress = { attempts: [], paidBy: null, latePaymentIds: [] };
    return { change: null, status: 'open', ...progress, ...event.data };
  }
  if (state.status === 'none') return state;
  switch (event.type) {
    case 'checkout_link.attempted.v1':
    case 'checkout_link.change_attempted.v1': {
      const attempts = [...state.attempts, { ...NEW_ATTEMPT, ...event.data }];
      return { ...state, status: 'attempting', attempts };
    }
    case 'checkout_link.challenged.v2':
      return changeAttempt(state, event.data.attempt, { challenge: event.data });
    case 'checkout_link.claim_granted.v1':
      return changeAttempt(state, event.data.attempt, { isGranted: true });
    case 'checkout_link.declined.v1':
      return reopened(state, event.data.attempt, { decline: event.data });
    case 'checkout_link.refused.v1': {
      const { attempt, refusal } = event.data;
      return reopened(state, attempt, { refusal });
    }
    case 'checkout_link.paid.v1':
      return { ...state, paidBy: event.data.paymentId };
    case 'checkout_link.late_outcome_recorded.v1': {
      const { paymentId } = event.data;
      return { ...state, latePaymentIds: [...state.latePaymentIds, paymentId] };
    }
    case 'checkout_link.completed.v1':
      return { ...state, status: 'completed' };
    default:
      return unknownEvent(state, event);
  }
}

/** The end of the attempt that counts opens the link again; that of a replaced one does not. */
function reopened(
  state: CreatedCheckoutLink,
  attempt: number,
  end: Partial<Pick<AttemptProgress, 'decline' | 'refusal'>>,
): CheckoutLink {
  const isLast = lastAttempt(state)?.attempt === attempt;
  const after = changeAttempt(state, attempt, end);
  const reopens = isLast && state.status === 'attempting';
  return { ...after, ...(reopens && { status: 'open' as const }) };
}

function changeAttempt(
  state: CreatedCheckoutLink,
  attempt: number,
  change: Partial<AttemptProgress>,
): CreatedCheckoutLink {
  const attempts = state.attempts.map((one) =>
    one.attempt === attempt ? { ...one, ...change } : one,
  );
  return { ...state, attempts };
}
