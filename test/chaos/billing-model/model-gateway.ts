/** What the sandbox's payment methods do (rules/payments 9), as far as the model uses them. */
export const METHODS = [
  'pm_ok',
  'pm_timeout',
  'pm_renewal_declines',
  'pm_renewal_declines_once',
  'pm_decline_insufficient_funds',
  'pm_decline_lost_card',
] as const;
export type MethodName = (typeof METHODS)[number];

/** How often a subscription's method was charged. */
export interface Charges {
  all: number;
  offSession: number;
}

/** Charges once. A final decline is not retried. */
export function chargeWith(
  method: MethodName,
  charges: Charges,
  { offSession }: { offSession: boolean },
): 'captured' | 'soft' | 'final' {
  const before = { ...charges };
  charges.all += 1;
  if (offSession) charges.offSession += 1;
  switch (method) {
    case 'pm_ok':
    case 'pm_timeout':
      return 'captured';
    case 'pm_renewal_declines':
      return before.all === 0 ? 'captured' : 'soft';
    case 'pm_renewal_declines_once':
      return offSession && before.offSession === 0 ? 'soft' : 'captured';
    case 'pm_decline_insufficient_funds':
      return 'soft';
    case 'pm_decline_lost_card':
      return 'final';
  }
}
