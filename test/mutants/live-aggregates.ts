import type { Mutant } from './mutant.js';

const EVENT_STORE = 'libs/event-store/src/follow';
const SPECS = [`${EVENT_STORE}/live-aggregates`];

/** Guards of what a process keeps in memory of its tenants. */
export const LIVE_AGGREGATE_MUTANTS: readonly Mutant[] = [
  {
    name: 'an event that a reading missed is forgotten',
    harm: 'A secret that was rotated while the app was read stays the old one in this process.',
    file: `${EVENT_STORE}/live-states.ts`,
    guard: '    if (!read.isFrozen && read.revision < reading.seen) return false;\n',
    without: '',
    specs: SPECS,
  },
  {
    name: 'an event is folded twice',
    harm: 'A reading that was ahead of the follower is taken on by what it knows already.',
    file: 'libs/event-store/src/commands/aggregate-cache.ts',
    guard: ' || revision <= known.revision) return;',
    without: ') return;',
    specs: SPECS,
  },
  {
    name: 'a gap is folded over',
    harm: 'A state lacks an event for as long as the process lives.',
    file: 'libs/event-store/src/commands/aggregate-cache.ts',
    guard: 'revision === known.revision + 1 ? fold(known) : undefined;',
    without: 'fold(known);',
    specs: SPECS,
  },
  {
    name: 'an older reading takes the place of a newer one',
    harm: 'What was seen once is no longer there: a write that was answered is not read back.',
    file: 'libs/event-store/src/commands/aggregate-cache.ts',
    guard: 'if ((this.peek(streamName)?.revision ?? -Infinity) < folded.revision) {',
    without: '{',
    specs: SPECS,
  },
  {
    name: 'made-up ids push out what is in use',
    harm: 'A caller without credentials makes every app be read again.',
    file: `${EVENT_STORE}/live-states.ts`,
    guard: '(isThere ? this.#known : this.#absent).keep(streamName, read);',
    without: 'this.#known.keep(streamName, read);',
    specs: SPECS,
  },
  {
    name: 'a process follows the store from its beginning',
    harm: 'A start takes longer with every event that the store holds.',
    file: `${EVENT_STORE}/live-aggregates.ts`,
    guard: '    this.progress.reach(head);\n',
    without: '    void head;\n',
    specs: SPECS,
  },
  {
    name: 'a price book is older than the one that was waited for',
    harm: 'A conversion with a consistency token answers with the prices before that write.',
    file: 'libs/price-books/src/price-books.ts',
    guard: 'if (isBegunLast || isNewer) this',
    without: 'if (isBegunLast) this',
    specs: ['libs/price-books/src/price-books.spec.ts'],
  },
];
