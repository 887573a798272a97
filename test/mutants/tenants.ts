import type { Mutant } from './mutant.js';

const TENANCY = 'libs/tenancy/src';
const CLOCKS = 'apps/worker/src/billing-clock';

/** Guards of starts that read no log: what is read late must be there in time. */
export const TENANT_MUTANTS: readonly Mutant[] = [
  {
    name: 'an endpoint is created that no list names',
    harm: 'A crash at the wrong moment leaves an endpoint that is sent nothing.',
    file: 'apps/api/src/manage/webhook-endpoints/commands/create-webhook-endpoint.ts',
    guard: '    await this.list(endpointId, context);\n',
    without: '',
    specs: ['apps/api/src/manage/webhook-endpoints/commands/create-webhook-endpoint.spec.ts'],
  },
  {
    name: 'an endpoint of an older release stays in no list',
    harm: 'In a rolling deploy an endpoint is created that is sent nothing.',
    file: 'apps/worker/src/partitions/reactor.ts',
    guard: '      await apps.requireListed([endpointId]);\n',
    without: '',
    specs: ['apps/worker/src/partitions/reactor.spec.ts'],
  },
  {
    name: 'an endpoint that cannot be listed stops the feed',
    harm: 'One event of a newer release in the list of one app stops webhooks and charges of all.',
    file: 'apps/worker/src/partitions/reactor.ts',
    guard: 'if (error instanceof Fault && error.retryable) throw error;',
    without: 'if (error instanceof Error) throw error;',
    specs: ['apps/worker/src/partitions/reactor.spec.ts'],
  },
  {
    name: 'the listing of endpoints goes on at a place of another store',
    harm: 'After a move or a restore, endpoints are left out of the lists for good.',
    file: `${TENANCY}/listed-place.ts`,
    guard: 'at?.layoutId === this.options.identity.layoutId ? at.upTo : START',
    without: 'at?.upTo ?? START',
    specs: ['test/integration/tenancy/endpoint-lists.int.spec.ts'],
  },
  {
    name: 'what an older release made after the upgrade is not looked for',
    harm: 'After a rollback, endpoints are in no list for good, and sent nothing.',
    file: `${TENANCY}/endpoint-listing.ts`,
    guard: 'if ((await listing.run()) && ',
    without: 'if (',
    specs: ['test/integration/tenancy/kept-lists.int.spec.ts'],
  },
  {
    name: 'the place of the lists moves past an endpoint that was skipped',
    harm: 'No release lists that endpoint any more, and it is sent nothing.',
    file: `${TENANCY}/endpoint-listing.ts`,
    guard: 'if (!this.hasSkipped) ',
    without: '',
    specs: ['test/integration/tenancy/kept-lists.int.spec.ts'],
  },
  {
    name: 'the notes of the place of the lists are all kept',
    harm: 'They pile up in the store, one an hour for as long as the ledger lives.',
    file: `${TENANCY}/listed-place.ts`,
    guard: 'if (last === undefined) await limitStream(store, STREAM, 1, ACTOR);',
    without: '',
    specs: ['test/integration/tenancy/kept-lists.int.spec.ts'],
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
    guard: 'if (isListed && this.#waiting.has(admit))',
    without: 'if (isListed && false)',
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
