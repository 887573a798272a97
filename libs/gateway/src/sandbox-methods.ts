import type { Decline } from '#domain/payment';

/** The history that a payment method may depend on: earlier charges of the same reference and method. */
export interface ChargeSituation {
  readonly offSession: boolean;
  /** Whether the player is there, and can be led to the bank and back. */
  readonly playerCanConfirm: boolean;
  readonly chargesBefore: number;
  readonly offSessionChargesBefore: number;
}

/** How the sandbox treats a payment method. */
type Behaviour = (situation: ChargeSituation) => 'capture' | 'pend' | 'challenge' | Decline;

const DECLINES = {
  insufficientFunds: {
    reason: 'insufficient_funds',
    declineClass: 'soft',
    rawDeclineCode: '51',
  },
  doNotHonor: { reason: 'do_not_honor', declineClass: 'soft', rawDeclineCode: '05' },
  lostCard: { reason: 'lost_or_stolen_card', declineClass: 'hard', rawDeclineCode: '41' },
  fraud: { reason: 'fraud_suspected', declineClass: 'fraud', rawDeclineCode: '59' },
} as const satisfies Record<string, Decline>;

/** The bank wanted a confirmation, and did not get it. */
export const NOT_CONFIRMED: Decline = {
  reason: 'authentication_required',
  declineClass: 'authentication_required',
  rawDeclineCode: '65',
};

/** The sandbox's payment methods (rules/payments 9). */
export const SANDBOX_METHODS: ReadonlyMap<string, Behaviour> = new Map<string, Behaviour>([
  ['pm_ok', () => 'capture'],
  ['pm_decline_insufficient_funds', () => DECLINES.insufficientFunds],
  ['pm_decline_do_not_honor', () => DECLINES.doNotHonor],
  ['pm_decline_lost_card', () => DECLINES.lostCard],
  ['pm_decline_fraud', () => DECLINES.fraud],
  [
    'pm_authentication_required',
    ({ playerCanConfirm }) => (playerCanConfirm ? 'challenge' : NOT_CONFIRMED),
  ],
  [
    'pm_renewal_declines',
    ({ chargesBefore }) => (chargesBefore === 0 ? 'capture' : DECLINES.insufficientFunds),
  ],
  [
    'pm_renewal_declines_once',
    // The end of a trial is a renewal too, so that it is not the second charge that counts.
    ({ offSession, offSessionChargesBefore }) =>
      offSession && offSessionChargesBefore === 0 ? DECLINES.insufficientFunds : 'capture',
  ],
  ['pm_pending', () => 'pend'],
  ['pm_timeout', () => 'capture'],
  ['pm_unavailable', () => 'capture'],
]);

/** The charge goes through, and its answer is lost on the way: the first call with a key throws. */
export const LOSES_ITS_ANSWER = 'pm_timeout';
/** The gateway is down: nothing goes through. */
export const IS_DOWN = 'pm_unavailable';
