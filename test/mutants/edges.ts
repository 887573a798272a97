import type { Mutant } from './mutant.js';

const ENGINE = 'libs/projection-engine/src';
const EVENT_STORE = 'libs/embedded-event-store/src';

/** Guards of what callers see, and of the embedded event store. */
export const EDGE_MUTANTS: readonly Mutant[] = [
  {
    name: 'page tokens are not bound to the version of their read model',
    harm: 'A cursor of another form passes for the end of the list.',
    file: 'apps/api/src/http/page-token.ts',
    guard: 'return JSON.stringify([name, version, ...filters]);',
    without: 'return JSON.stringify([name, ...(version === undefined ? [] : filters)]);',
    specs: ['apps/api/src/document-lists.spec.ts'],
  },
  {
    name: 'remembered pages take any room',
    harm: 'Long lists that are asked for fill the memory of the API.',
    file: `${ENGINE}/page-decoder.ts`,
    guard: 'maxSize: REMEMBERED_PAGES_LENGTH,',
    without: 'maxSize: 1e6 * REMEMBERED_PAGES_LENGTH,',
    specs: [`${ENGINE}/page-decoder.spec.ts`],
  },
  {
    name: 'an event store whose end is missing starts',
    harm: 'The next append takes a position that is in use, and an event is written over.',
    file: `${EVENT_STORE}/start-event-store.ts`,
    guard: '    store.requireEnd();\n',
    without: '',
    specs: ['test/contract/event-store/embedded/damage'],
  },
  {
    name: 'an event store does not look whether its last event is at the number of its events',
    harm: 'An event is lost in the middle, and the next append takes the position of the last one.',
    file: `${EVENT_STORE}/storage/log-store.ts`,
    guard: 'if (last !== count) throw',
    without: 'if (last !== last) throw',
    specs: ['test/contract/event-store/embedded/damage'],
  },
];
