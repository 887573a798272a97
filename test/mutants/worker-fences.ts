import type { Mutant } from './mutant.js';

const WORKER = 'apps/worker/src';
const INTEGRATION = 'test/integration/worker';
const STATE = `${INTEGRATION}/redis-state`;

/** The worker's acts that compare the token of the lease: what they do, and which spec calls them with another. */
const ACTS: readonly { what: string; harm: string; lua: string; spec: string }[] = [
  {
    what: 'the cursor of an endpoint',
    harm: 'A former holder passes over what its successor has not sent.',
    lua: 'redis/lua/move-cursors-3',
    spec: STATE,
  },
  {
    what: 'beginning a charge or delivery',
    harm: 'A former holder begins what its successor has ended.',
    lua: 'redis/lua/begin-work-5',
    spec: STATE,
  },
  {
    what: 'the end of a charge or delivery',
    harm: 'A former holder ends a charge whose outcome its successor waits for.',
    lua: 'redis/lua/end-work-6',
    spec: STATE,
  },
  {
    what: 'asking the gateway later',
    harm: 'A former holder puts off what its successor has made due.',
    lua: 'redis/lua/look-later-4',
    spec: STATE,
  },
  {
    what: 'parking',
    harm: 'A former holder parks a stream that goes on again, or lets one go on that is parked.',
    lua: 'redis/lua/change-parked-2',
    spec: STATE,
  },
  {
    what: 'naming again what was given up',
    harm: 'A former holder names what its successor has known and forgotten since.',
    lua: 'redis/lua/change-exhausted-2',
    spec: STATE,
  },
  {
    what: 'the answer to a test clock',
    harm: 'A former holder says that its part of a step is done, and the clock goes on without it.',
    lua: 'billing-clock/lua/answer-clock-part-2',
    spec: STATE,
  },
];

/** One act after the other without its fence. */
export const WORKER_FENCE_MUTANTS: readonly Mutant[] = ACTS.map(({ what, harm, lua, spec }) => ({
  ...{ name: `${what} is not fenced`, harm, file: `${WORKER}/${lua}.lua` },
  guard: "if redis.call('GET', KEYS[1]) ~= ARGV[1] then",
  without: 'if false then',
  specs: [spec],
}));
