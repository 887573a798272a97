import type { Mutant } from './mutant.js';

const RECENT = 'apps/worker/src/feed/recent-events.ts';
const RECENT_SPECS = ['apps/worker/src/feed/recent-events.spec.ts'];
const READER = 'apps/worker/src/delivery/lag-reader.ts';
const READER_SPECS = ['apps/worker/src/delivery/lag-reader.spec.ts'];

/** Guards of what endpoints that lag behind are given from memory: what it passes over is never sent. */
export const LAGGING_ENDPOINT_MUTANTS: readonly Mutant[] = [
  {
    name: 'memory passes over what it does not have of the time between',
    harm: 'Messages of a gap, such as that of another holder of the partition, are never sent.',
    file: RECENT,
    guard: 'if (hasGap || this.cursors.all.size === 0) this.#begin(after);',
    without: 'if (this.cursors.all.size === 0) this.#begin(after);',
    specs: RECENT_SPECS,
  },
  {
    name: 'memory passes over what it had to let go',
    harm: 'An endpoint that lags behind further than memory reaches misses what lies between.',
    file: RECENT,
    guard: 'this.#after = gone.at(-1)?.position ?? this.#after;',
    without: '',
    specs: RECENT_SPECS,
  },
  {
    name: 'events that come a second time are given twice',
    harm: 'After an error of the feed memory gives events out of their order.',
    file: RECENT,
    guard: 'if (this.cursors.all.size === 0 || upTo <= this.#upTo) return;',
    without: 'if (this.cursors.all.size === 0) return;',
    specs: RECENT_SPECS,
  },
  {
    name: 'an endpoint is read for that wants no more',
    harm: 'Reading for one endpoint goes on when its time is up, and others wait.',
    file: READER,
    guard: 'if (!(await take({ ...batch, events }))) return undefined;',
    without: 'await take({ ...batch, events });',
    specs: READER_SPECS,
  },
];
