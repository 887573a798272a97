import type { Mutant } from './mutant.js';

const WORKER = 'apps/worker/src';

/** Guards of due dates that cannot be processed. */
export const DUE_DATE_MUTANTS: readonly Mutant[] = [
  {
    name: 'due dates that fail are asked again at once',
    harm: 'A due date that cannot be processed takes the place of those that can.',
    file: `${WORKER}/billing-clock/scheduler.ts`,
    guard: 'if (this.#backoff.isHeldUp(key, performance.now())) return;',
    without: '',
    specs: [`${WORKER}/billing-clock/scheduler.spec.ts`],
  },
  {
    name: 'due dates behind the held up are never reached',
    harm: 'Some thousand due dates that cannot be processed keep all others from being billed.',
    file: `${WORKER}/billing-clock/scheduler.ts`,
    guard: 'this.#places.set(name, place);',
    without: '',
    specs: [`${WORKER}/billing-clock/scheduler.spec.ts`],
  },
];
