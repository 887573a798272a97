import type { Mutant } from './mutant.js';

const CLOCKS = 'apps/worker/src/billing-clock';
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
  {
    name: 'the retry at the end of grace is missed where another one was open until then',
    harm: 'A gateway that was away for a day ends subscriptions that it could charge again by then.',
    file: `${DUNNING}/dunning.policy.ts`,
    guard: ' || isLast(retryAt)',
    without: '',
    specs: [`${DUNNING}/dunning.spec.ts`],
  },
  {
    name: 'a charge without grace has no time',
    harm: 'One fault of the gateway ends the subscriptions that are charged at that moment.',
    file: `${DUNNING}/dunning.policy.ts`,
    guard: 'return withTimeToAnswer(graceEndsAt, chargedAt);',
    without: 'return graceEndsAt;',
    specs: [`${DUNNING}/dunning.spec.ts`],
  },
  {
    name: 'a stream that should be new is believed to be so',
    harm: 'A job that runs again decides on nothing, and appends what is there already.',
    file: 'libs/event-store/src/commands/command-executor.ts',
    guard: 'const isFresh = cached === undefined && !isTakenForNew;',
    without: 'const isFresh = cached === undefined;',
    specs: ['libs/event-store/src/commands/new-streams.spec.ts'],
  },
  {
    name: 'a test clock goes on without a charge that has no outcome in time',
    harm: 'After a worker stood still, renewals come days late on the clock, or after the end of grace.',
    file: `${CLOCKS}/settlements.ts`,
    guard:
      "throw new Fault('unavailable', `${paymentId} has no outcome yet`, { retryable: true });",
    without: 'return null;',
    specs: [`${CLOCKS}/settlements.spec.ts`],
  },
  {
    name: 'a test clock looks for charges that the process remembers, not for those that are shown',
    harm: 'A charge that was made before a crash is not waited for, and is settled later on the clock.',
    file: `${CLOCKS}/test-clock-steps.ts`,
    guard: 'const settledAt = await this.charges.waitForAll(pending);',
    without: 'const settledAt = await this.charges.waitForAll([]);',
    specs: [`${CLOCKS}/test-clock-steps.spec.ts`],
  },
  {
    name: 'a test clock is moved from where it does not stand',
    harm: 'A worker that stood still, or did not see a farther target, passes over what is due on the way.',
    file: 'libs/domain/src/test-clock/test-clock.ts',
    guard: 'advance?.standsAt === known.standsAt && advance.target === known.target',
    without: 'advance !== null && known !== null',
    specs: ['libs/domain/src/test-clock/test-clock.spec.ts'],
  },
];
