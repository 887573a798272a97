import type { Mutant } from './mutant.js';

const JOBS = 'apps/worker/src/jobs';

/** Guards between tenants: what one of them may take of what all of them share. */
export const FAIRNESS_MUTANTS: readonly Mutant[] = [
  {
    name: 'an app may have all places',
    harm: "One app's slow gateway account or dead endpoint holds up the purchases of all others.",
    file: `${JOBS}/app-shares.ts`,
    guard: ' || running >= this.#placesOfApp',
    without: '',
    specs: [`${JOBS}/app-shares.spec.ts`],
  },
  {
    name: 'all due dates of an app are begun at once',
    harm: 'An app of which all subscriptions are due at one instant fills the log before the renewals of others.',
    file: 'apps/worker/src/billing-clock/scheduler.ts',
    guard: 'if (!this.underWay.hasRoom(date.appId)) {',
    without: 'if (Date.now() < 0) {',
    specs: ['apps/worker/src/billing-clock/scheduler-room.spec.ts'],
  },
  {
    name: 'what outcomes let the scheduler begin is not bounded',
    harm: 'Outcomes that come together begin four times the commands that a worker may have under way.',
    file: 'apps/worker/src/billing-clock/scheduler.ts',
    guard: 'this.#atOnce(() => this.#takeNext(appId, signal))',
    without: 'this.#takeNext(appId, signal)',
    specs: ['apps/worker/src/billing-clock/scheduler-room.spec.ts'],
  },
  {
    name: 'an outcome takes up no next due date',
    harm: 'An app renews no more subscriptions in a second than may be under way.',
    file: 'apps/worker/src/billing-clock/due-dates-under-way.ts',
    guard: '      this.#onRoom(appId);\n',
    without: '',
    specs: ['apps/worker/src/billing-clock/scheduler-room.spec.ts'],
  },
  {
    name: 'credentials give a turn before they are known to be good',
    harm: 'A caller who makes up credentials takes nearly all turns from those who have them.',
    file: 'libs/nest/src/http/edge/known-callers.ts',
    guard: ' && this.#known.get(credentials) === true',
    without: '',
    specs: ['libs/nest/src/http/edge/known-callers.spec.ts'],
  },
];
