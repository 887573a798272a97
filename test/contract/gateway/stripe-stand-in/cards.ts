/** How the stand-in treats payment methods; Stripe's own test methods where it has them. */
type Behaviour =
  | { readonly kind: 'capture' | 'process' | 'authenticate' }
  | { readonly kind: 'decline'; readonly code: string; readonly declineCode?: string };

const decline = (declineCode: string): Behaviour => ({
  kind: 'decline',
  code: 'card_declined',
  declineCode,
});

export const CARDS: ReadonlyMap<string, Behaviour> = new Map<string, Behaviour>([
  ['pm_card_visa', { kind: 'capture' }],
  ['pm_card_visa_chargeDeclined', decline('generic_decline')],
  ['pm_card_visa_chargeDeclinedInsufficientFunds', decline('insufficient_funds')],
  ['pm_card_visa_chargeDeclinedLostCard', decline('lost_card')],
  ['pm_card_chargeDeclinedFraudulent', decline('fraudulent')],
  ['pm_card_chargeDeclinedExpiredCard', { kind: 'decline', code: 'expired_card' }],
  ['pm_card_authenticationRequired', { kind: 'authenticate' }],
  ['pm_processing', { kind: 'process' }],
  ['pm_lost_answer', { kind: 'capture' }],
  ['pm_failing', { kind: 'capture' }],
  ['pm_down', { kind: 'capture' }],
  ['pm_slow', { kind: 'capture' }],
  ['pm_refund_pending', { kind: 'capture' }],
  ['pm_refund_failing', { kind: 'capture' }],
  ['pm_hanging', { kind: 'capture' }],
]);
