/** The behaviour of the sandbox's payment methods (rules/payments 9), as far as the model uses them. */
export const METHODS = [
  'pm_ok',
  'pm_timeout',
  'pm_renewal_declines',
  'pm_renewal_declines_once',
  'pm_decline_insufficient_funds',
  'pm_decline_lost_card',
  'pm_pending',
  'pm_authentication_required',
] as const;
/** The gateway does not answer for it: its charge is given up (rules/payments 17). */
export const UNANSWERED = 'pm_unavailable';
/** The gateway decides within seconds. */
export const PENDING = 'pm_pending';
export type AnsweredMethod = (typeof METHODS)[number];
export type MethodName = AnsweredMethod | typeof UNANSWERED;

/** Those that a player changes to; one of them pays nothing. */
export const CHANGE_METHODS = [
  'pm_ok',
  'pm_authentication_required',
  'pm_decline_insufficient_funds',
  'pm_pending',
] as const;
export type ChangeMethod = (typeof CHANGE_METHODS)[number];

/** How often each method of a subscription was charged. */
export type Charges = Partial<Record<MethodName, { all: number; offSession: number }>>;

/** Why a charge is declined. */
export type DeclineClass = 'soft' | 'hard' | 'authentication_required' | 'unknown';

/** Charges once. A player who is present confirms where the bank wants that. */
export function chargeWith(
  method: AnsweredMethod,
  charges: Charges,
  { offSession }: { offSession: boolean },
): 'captured' | DeclineClass {
  const before = charges[method] ?? { all: 0, offSession: 0 };
  charges[method] = {
    all: before.all + 1,
    offSession: before.offSession + (offSession ? 1 : 0),
  };
  switch (method) {
    case 'pm_ok':
    case 'pm_timeout':
    case 'pm_pending':
      return 'captured';
    case 'pm_authentication_required':
      return offSession ? 'authentication_required' : 'captured';
    case 'pm_renewal_declines':
      return before.all === 0 ? 'captured' : 'soft';
    case 'pm_renewal_declines_once':
      return offSession && before.offSession === 0 ? 'soft' : 'captured';
    case 'pm_decline_insufficient_funds':
      return 'soft';
    case 'pm_decline_lost_card':
      return 'hard';
  }
}
