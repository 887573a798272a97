import { FENCE_MUTANTS } from './fences.js';
import { GENERATION_MUTANTS } from './generations.js';
import { HANDOVER_MUTANTS } from './handover.js';
import type { Mutant } from './mutant.js';
import { RECOVERY_MUTANTS } from './recovery.js';
import { SEALING_MUTANTS } from './sealing.js';
import { WITNESS_MUTANTS } from './witnesses.js';

/** Each guard is a promise of docs/rules that is easily lost, and that Stryker does not reach. */
export const MUTANTS: readonly Mutant[] = [
  ...FENCE_MUTANTS,
  ...GENERATION_MUTANTS,
  ...HANDOVER_MUTANTS,
  ...RECOVERY_MUTANTS,
  ...SEALING_MUTANTS,
  ...WITNESS_MUTANTS,
];
