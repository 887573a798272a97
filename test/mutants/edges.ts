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
    name: 'an act of a client that went away is kept',
    harm: 'Each such request stays in the memory of the API for ever, and a stop waits for what comes no more.',
    file: 'libs/nest/src/http/edge/acts.ts',
    guard: "socket.once('close', () => {",
    without: "socket.once('lookup', () => {",
    specs: ['test/contract/http/draining.int.spec.ts'],
  },
  {
    name: 'a program whose setting is refused ends as any other',
    harm: 'A supervisor starts it again and again, with a setting that cannot work.',
    file: 'libs/nest/src/program/run-program.ts',
    guard: 'error instanceof SettingRefused ? EXIT_BAD_SETTING : 1',
    without: '1',
    specs: ['libs/nest/src/program/run-program.spec.ts'],
  },
  {
    name: 'failures are logged as all other requests are',
    harm: 'An operator at level info sees no request that failed.',
    file: 'libs/nest/src/http/edge/request-log.ts',
    guard: "if (isNotable) log.info(line, 'request answered');",
    without: "if (isNotable) log.debug(line, 'request answered');",
    specs: ['libs/nest/src/http/edge/request-log.spec.ts'],
  },
  {
    name: 'the log of requests names a caller as a person',
    harm: 'Pseudonyms and account ids of players stand in logs.',
    file: 'libs/nest/src/http/edge/request-log.ts',
    guard: "caller: caller?.kind ?? 'unknown',",
    without: "caller: caller ?? 'unknown',",
    specs: ['libs/nest/src/http/edge/request-log.spec.ts'],
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
