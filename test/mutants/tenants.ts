import type { Mutant } from './mutant.js';

const TENANCY = 'libs/tenancy/src';
const CLOCKS = 'apps/worker/src/billing-clock';

/** Guards of starts that read no log: what is read late must be there in time. */
export const TENANT_MUTANTS: readonly Mutant[] = [
  {
    name: 'apps that the read model lists are all looked up at once',
    harm: 'A burst of first uses takes the connection to the store from all other requests.',
    file: `${TENANCY}/bounded-lookups.ts`,
    guard: 'if (this.#listedUnderWay < LISTED_AT_ONCE) {',
    without: 'if (this.#listedUnderWay < 1e6 * LISTED_AT_ONCE) {',
    specs: [`${TENANCY}/bounded-lookups.spec.ts`],
  },
  {
    name: 'bad signatures of many apps have no bound in total',
    harm: 'Anyone who knows the ids of many apps makes the API read as many streams in each second.',
    file: 'apps/api/src/auth/fresh-looks.ts',
    guard: 'this.#lookedAt.size >= FRESH_LOOKS',
    without: 'this.#lookedAt.size >= 1e6 * FRESH_LOOKS',
    specs: ['apps/api/src/auth/fresh-looks.spec.ts'],
  },
  {
    name: 'an endpoint is created that no list names',
    harm: 'A crash at the wrong moment leaves an endpoint that is sent nothing.',
    file: 'apps/api/src/manage/webhook-endpoints/commands/create-webhook-endpoint.ts',
    guard: '    await this.list(endpointId, context);\n',
    without: '',
    specs: ['apps/api/src/manage/webhook-endpoints/commands/create-webhook-endpoint.spec.ts'],
  },
  {
    name: 'an endpoint that another process knew first is taken for deleted',
    harm: 'A message to a new endpoint is dropped.',
    file: `${TENANCY}/app-directory.ts`,
    guard: "known.state.status === 'none'\n",
    without: 'false\n',
    specs: [`${TENANCY}/app-directory.spec.ts`],
  },
  {
    name: 'look-ups of what is there are bounded like those of what is made up',
    harm: 'After a start, studios whose apps are there are refused.',
    file: `${TENANCY}/bounded-lookups.ts`,
    guard: '      else this.#release();\n',
    without: '      else setTimeout(() => this.#release(), ABSENT_LIFE_MS).unref();\n',
    specs: [`${TENANCY}/bounded-lookups.spec.ts`],
  },
  {
    name: 'an app that the read model lists waits among made-up ids',
    harm: 'Callers without credentials shut studios out by asking for ids that are none.',
    file: `${TENANCY}/bounded-lookups.ts`,
    guard: 'if (!isListed || !this.#waiting.delete(admit)) return;',
    without: 'if (isListed || !this.#waiting.delete(admit)) return;',
    specs: [`${TENANCY}/bounded-lookups.spec.ts`],
  },
  {
    name: 'nothing is due in a test app by read models that are behind',
    harm: 'A renewal by a test clock that ticks never comes.',
    file: `${CLOCKS}/test-app-looks.ts`,
    guard: 'if (shownAt < needed) this.#notShown.set(appId, needed);',
    without: '',
    specs: [`${CLOCKS}/test-app-looks.spec.ts`],
  },
  {
    name: 'a clock that moved during a look is overlooked',
    harm: 'What is due by the new time waits until the time that was right before.',
    file: `${CLOCKS}/test-app-looks.ts`,
    guard: 'if (this.#woken.has(appId)) {',
    without: 'if (Date.now() < 0) {',
    specs: [`${CLOCKS}/test-app-looks.spec.ts`],
  },
];
