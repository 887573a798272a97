import type {
  CheckoutAttempted,
  CheckoutDeclined,
  CheckoutLinkCreated,
  CheckoutLinkEvent,
} from './checkout-link.events.js';

/**
 * open: may be paid; attempting: a charge is on its way; completed: used up (by success only). After
 * a decline it is open again. Expiry is no fact: it follows from the clock.
 */
export type CheckoutLink =
  | { readonly status: 'none' }
  | (CheckoutLinkCreated['data'] & {
      readonly status: 'open' | 'attempting' | 'completed';
      readonly lastAttempt: CheckoutAttempted['data'] | null;
      readonly lastDecline: CheckoutDeclined['data'] | null;
    });

export type CreatedCheckoutLink = Exclude<CheckoutLink, { status: 'none' }>;

export const noCheckoutLink: CheckoutLink = { status: 'none' };

/** Folds one fact of a link. */
export function evolveCheckoutLink(state: CheckoutLink, event: CheckoutLinkEvent): CheckoutLink {
  if (event.type === 'checkout_link.created.v1') {
    if (state.status !== 'none') return state;
    return { ...event.data, status: 'open', lastAttempt: null, lastDecline: null };
  }
  if (state.status === 'none') return state;
  switch (event.type) {
    case 'checkout_link.attempted.v1':
      return { ...state, status: 'attempting', lastAttempt: event.data };
    case 'checkout_link.declined.v1':
      return { ...state, status: 'open', lastDecline: event.data };
    case 'checkout_link.completed.v1':
      return { ...state, status: 'completed' };
    default:
      return unknownFact(state, event);
  }
}

/** The compiler asks for a case when a fact is added; a stream of a newer release is left as it is. */
function unknownFact(state: CheckoutLink, _event: never): CheckoutLink {
  return state;
}
