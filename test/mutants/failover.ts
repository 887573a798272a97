import type { Mutant } from './mutant.js';

const CLIENT = 'libs/event-store/src/client';
const SPECS = ['test/integration/event-store/failover'];
const WATCH = ['libs/event-store/src/client/channel-watch'];

/** Guards of a failover: what is silent is left, and what is only busy is not (decision 0092). */
export const FAILOVER_MUTANTS: readonly Mutant[] = [
  {
    name: 'a silent connection is waited for',
    harm: 'Commands stand still for 20 s when a leader freezes.',
    file: `${CLIENT}/channel-watch.ts`,
    guard: 'if (this.#silentTicks >= this.#patienceTicks())',
    without: 'if (false)',
    specs: SPECS,
  },
  {
    name: 'our own blocked event loop counts as silence',
    harm: 'A busy node is left, and everything is repeated, when it can bear it least.',
    file: `${CLIENT}/channel-watch.ts`,
    guard: 'else if (!isLate) this.#silentTicks',
    without: 'else this.#silentTicks',
    specs: SPECS,
  },
  {
    name: 'a node is asked for a sign of life, and not whether it leads',
    harm: 'A follower that takes appends and never answers them is waited for.',
    file: `${CLIENT}/channel-watch.ts`,
    guard: '[...this.#calls.values()].includes(true)',
    without: 'false',
    specs: SPECS,
  },
  {
    name: 'a node that is not ready is asked again and again',
    harm: 'Appends fail although another node leads.',
    file: `${CLIENT}/append-connection.ts`,
    guard: 'if (isOfNodeNotReady(reply)) this',
    without: 'if (false) this',
    specs: SPECS,
  },
  {
    name: 'silence is borne no longer, however many connections brought nothing',
    harm: 'What a slow store is doing is undone again and again.',
    file: `${CLIENT}/patience.ts`,
    guard: '2 ** Math.max(0, doublings)',
    without: '1',
    specs: WATCH,
  },
  {
    name: 'dials that led to no connection are waited for ever longer',
    harm: 'A cluster has a leader again, and its client waits 4 s for the frozen one.',
    file: `${CLIENT}/patience.ts`,
    guard: 'growing(SILENT_AFTER_TICKS, dials - HASTY_DIALS)',
    without: 'growing(SILENT_AFTER_TICKS, silences - HASTY_SILENCES)',
    specs: WATCH,
  },
  {
    name: 'a frozen leader that is named again is waited for as any other node',
    harm: 'A cluster has a leader again, and its client waits 2 s for the frozen one.',
    file: `${CLIENT}/channel-watch.ts`,
    guard: 'isCluster && fruitless.silentNode === this.#channel.getTarget()',
    without: 'isCluster && fruitless.silentNode === undefined',
    specs: WATCH,
  },
  {
    name: 'a node that has no other beside it is dialled in haste',
    harm: 'A busy store is dialled twice a second, and no dial ends.',
    file: `${CLIENT}/channel-watch.ts`,
    guard: 'isNamedAgain = isCluster && ',
    without: 'isNamedAgain = ',
    specs: WATCH,
  },
];
