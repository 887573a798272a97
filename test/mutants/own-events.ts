import type { Mutant } from './mutant.js';

const PROCESSES = 'apps/worker/src/processes';

/** Guards of what a worker does at once about events of its own. */
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
    name: 'what was done about an own event is done again by the feed',
    harm: 'Each command of a purchase is given twice, and reads its stream the second time.',
    file: `${PROCESSES}/step-executor.ts`,
    guard: '    if (await this.own.take(event.id)) return;\n',
    without: '',
    specs: [`${PROCESSES}/step-executor.spec.ts`],
  },
];
