import type { Mutant } from './mutant.js';

const DUNNING = 'libs/domain/src/dunning';

/** Guards of billing: what was promised for a period is kept. */
export const BILLING_MUTANTS: readonly Mutant[] = [
  {
    name: 'retries follow the settings of today',
    harm: 'An app that changes its dunning moves or drops the retries of those who are past due.',
    file: `${DUNNING}/dunning.ts`,
    guard: 'dunning?.schedule ?? planRetries(',
    without: 'planRetries(',
    specs: [`${DUNNING}/dunning.spec.ts`],
  },
];
