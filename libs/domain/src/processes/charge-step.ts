import { type ChargeRequest, sumLines } from '../payment/index.js';
import type { ChargeBound, ProcessStep } from './steps.js';

/** The step that charges what the lines add up to, and asks for it up to the bound. */
export function chargeStep(charge: Omit<ChargeRequest, 'amount'>, bound: ChargeBound): ProcessStep {
  return { kind: 'charge', bound, charge: { ...charge, amount: sumLines(charge.lines) } };
}
