import type { Mutant } from './mutant.js';

const SPECS = ['libs/delivery-log/src/delivery-log.int.spec.ts'];

const WRITER = 'apps/worker/src/delivery/delivery-log-writer.ts';
const WRITER_SPEC = 'apps/worker/src/delivery/delivery-log-writer.spec.ts';
const SCRIPT = 'libs/delivery-log/src/lua/append-attempts-n.lua';

/** Guards of the log of attempts: its bounds, and that its pages lose and repeat nothing. */
export const DELIVERY_LOG_MUTANTS: readonly Mutant[] = [
  {
    name: 'the log of a dead endpoint grows for as long as it is tried',
    harm: 'Redis is full of attempts that nothing will read.',
    file: SCRIPT,
    guard: "redis.call('XTRIM', log, 'MAXLEN', '~', ARGV[1])",
    without: '',
    specs: SPECS,
  },
  {
    name: 'the log of an endpoint that was deleted stays for good',
    harm: 'Redis keeps what is of seven days ago and more.',
    file: SCRIPT,
    guard: "redis.call('EXPIRE', log, ARGV[3])",
    without: '',
    specs: SPECS,
  },
  {
    name: 'attempts gather in memory for as long as the log cannot be written',
    harm: 'A worker runs out of memory while Redis is slow.',
    file: WRITER,
    guard: 'if (this.#gathered.length >= this.#most) {',
    without: 'if (this.#gathered.length < 0) {',
    specs: [WRITER_SPEC],
  },
  {
    name: 'an attempt goes with an answer that does not seal, and all that are written with it',
    harm: 'A player who was erased, or a store that is away, takes 200 attempts out of the log.',
    file: WRITER,
    guard: 'const sealed = await sealing.catch((error: unknown) => {',
    without: 'const sealed = await sealing.catch((error: unknown) => {\n      throw error;',
    specs: [WRITER_SPEC],
  },
  {
    name: 'a page goes on behind an instant, and not behind an attempt',
    harm: 'Deliveries of other partitions at the same instant are on no page.',
    file: 'libs/delivery-log/src/log-place.ts',
    guard:
      'return left.ms - right.ms || left.count - right.count || left.partition - right.partition;',
    without: 'return left.ms - right.ms;',
    specs: SPECS,
  },
  {
    name: 'what is recorded while pages are read changes the order of those that follow',
    harm: 'A delivery that is tried again meanwhile is on no page.',
    file: 'libs/delivery-log/src/delivery-log.ts',
    guard: 'if (!isNews) attempts.push(each);',
    without: 'attempts.push(each);',
    specs: SPECS,
  },
];
