import type { Mutant } from './mutant.js';

const NOTICES = 'libs/sealing/src/notices/seal-notices.ts';
const WITNESSES = 'libs/sealing/src/notices/witnesses.ts';
const MERCHANT = 'tools/merchant/witness.mjs';
const NOTICE_SPECS = ['test/integration/sealing/notices.int.spec.ts'];
const MERCHANT_SPECS = ['test/integration/tools/witness.int.spec.ts'];

/** Guards of the checkpoints that studios are sent (rules/evidence 10). */
export const WITNESS_MUTANTS: readonly Mutant[] = [
  {
    name: 'notices are appended whatever the revision is, with ids of their own',
    harm: 'Two bookkeepers send a checkpoint again behind a later one, and witnesses raise an alarm.',
    file: NOTICES,
    guard: 'append(streamName, expected, eventsToAppend([event], act, occurredAt));',
    without: "append(streamName, 'any', eventsToAppend([event], context, occurredAt));",
    specs: NOTICE_SPECS,
  },
  {
    name: 'notices are written without the setting of the app',
    harm: 'A studio learns how busy all apps are, though no operator allows it any more.',
    file: WITNESSES,
    guard: '!app.sealWitness || ',
    without: '',
    specs: NOTICE_SPECS,
  },
  {
    name: 'notices are written for endpoints that do not ask',
    harm: 'The streams of apps grow by a notice for each checkpoint, for nothing.',
    file: WITNESSES,
    guard: 'endpoint.eventTypes.includes(LEDGER_SEALED)',
    without: 'endpoint.eventTypes.length > 0',
    specs: NOTICE_SPECS,
  },
  {
    name: 'notices of an app with a test clock have the time of the wall',
    harm: 'Its endpoints, which are younger by the clock of the app, are sent none.',
    file: WITNESSES,
    guard: "if (environment !== 'test') return",
    without: 'return',
    specs: NOTICE_SPECS,
  },
  {
    name: 'wildcards have the checkpoints of the ledger',
    harm: 'Endpoints that ask for all types are sent them unasked.',
    file: 'libs/domain/src/webhook-endpoint/event-selectors.ts',
    guard: '  if (type === LEDGER_SEALED) return eventTypes.includes(LEDGER_SEALED);\n',
    without: '',
    specs: ['libs/domain/src/webhook-endpoint/event-selectors.spec.ts'],
  },
  {
    name: 'checkpoints that waited are sent after the setting was turned off',
    harm: 'An endpoint that is enabled late learns what its studio may not learn any more.',
    file: 'apps/worker/src/delivery/send/delivery-act.ts',
    guard: 'if (await this.#isWithdrawn(message, endpoint))',
    without: 'if (false)',
    specs: ['apps/worker/src/delivery/send/delivery-act.spec.ts'],
  },
  {
    name: 'endpoints of any app ask for checkpoints',
    harm: 'A studio waits for webhooks that never come, and no call says why.',
    file: 'apps/api/src/manage/webhook-endpoints/endpoint-rules.ts',
    guard: 'if (index === -1 ||',
    without: 'if (index >= -1 ||',
    specs: ['apps/api/src/manage/webhook-endpoints/endpoint-rules.spec.ts'],
  },
  {
    name: 'the example merchant takes a smaller ledger',
    harm: 'Studios copy code that takes a ledger of which the end was cut off.',
    file: MERCHANT,
    guard: 'if (next.size < last.size) {',
    without: 'if (next.size < 0) {',
    specs: MERCHANT_SPECS,
  },
  {
    name: 'the example merchant takes each proof for right',
    harm: 'Studios copy code that takes a ledger that was altered.',
    file: MERCHANT,
    guard: 'if (isConsistent(last, next, toBuffers(hashes))) return undefined;',
    without: 'return undefined;',
    specs: MERCHANT_SPECS,
  },
];
