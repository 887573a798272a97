import { type ChargeRequest, sumLines } from '../payment/index.js';
import type { ChargeBound, ProcessStep } from './steps.js';

/** The step that charges the sum of the lines, and asks for the outcome up to the bound. */
export function chargeStep(charge: Omit<ChargeRequest, 'amount'>, bound: ChargeBound): ProcessStep {
  return { kind: 'charge', bound, charge: { ...charge, amount: sumLines(charge.lines) } };
}
