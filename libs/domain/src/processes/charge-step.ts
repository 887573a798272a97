import { type ChargeRequest, sumLines } from '../payment/index.js';
import type { ProcessStep } from './steps.js';

/** The step that charges what the lines add up to. */
export function chargeStep(charge: Omit<ChargeRequest, 'amount'>): ProcessStep {
  return { kind: 'charge', charge: { ...charge, amount: sumLines(charge.lines) } };
}
