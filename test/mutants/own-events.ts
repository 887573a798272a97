import type { Mutant } from './mutant.js';

const PROCESSES = 'apps/worker/src/processes';

/** Guards of what a worker does at once about events of its own, and by what it has in memory. */
export const OWN_EVENTS_MUTANTS: readonly Mutant[] = [
  {
    name: 'the feed does not wait for what follows from an own event',
    harm: 'The checkpoint moves on, and a crash then leaves a captured payment without its subscription.',
    file: `${PROCESSES}/own-events.ts`,
    guard: '    return doing;\n',
    without: '    return doing === LEFT_TO_FEED ? doing : true;\n',
    specs: [`${PROCESSES}/own-events.spec.ts`],
  },
  {
    name: 'an own event goes on though its stream is parked',
    harm: 'What follows from it comes before what follows from an event before it.',
    file: `${PROCESSES}/own-events.ts`,
    guard: 'if (this.#known.has(appended.id) || this.gate.isHeld(appended)) return;',
    without: 'if (this.#known.has(appended.id)) return;',
    specs: [`${PROCESSES}/own-events.spec.ts`],
  },
  {
    name: 'an own event that asks the gateway goes on without being in flight',
    harm: 'A charge or refund that is due after it is taken for done, and never made.',
    file: `${PROCESSES}/own-events.ts`,
    guard: '    if (!outputs.every(canGoOn)) return false;\n',
    without: '',
    specs: [`${PROCESSES}/own-events.spec.ts`],
  },
  {
    name: 'tax rates that are set do not reach a worker',
    harm: 'Purchases are taxed by the rates of before, for as long as the worker runs.',
    file: 'apps/worker/src/partitions/reactor.ts',
    guard: '    taxRates.note(items);\n',
    without: '',
    specs: ['apps/worker/src/partitions/reactor.spec.ts'],
  },
  {
    name: 'tax rates are kept while a worker does not follow the store',
    harm: 'What was set meanwhile does not go by, and is missing until the next change.',
    file: 'apps/worker/src/partitions/reactor.ts',
    guard: '        taxRates.forget();\n',
    without: '',
    specs: ['apps/worker/src/partitions/reactor.spec.ts'],
  },
  {
    name: 'what was done about an own event is done again by the feed',
    harm: 'Each command of a purchase is given twice, and reads its stream the second time.',
    file: `${PROCESSES}/step-executor.ts`,
    guard: '    if (await this.own.take(event.id)) return;\n',
    without: '',
    specs: [`${PROCESSES}/step-executor.spec.ts`],
  },
];
