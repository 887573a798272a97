import type { Mutant } from './mutant.js';

const STATE = 'libs/endpoint-state/src';
const DELIVERY = 'apps/worker/src/delivery';
const FAILURE_SPECS = [`${STATE}/endpoint-failures.int.spec.ts`];

/** Guards of what counts for an endpoint over all partitions and processes. */
export const ENDPOINT_STATE_MUTANTS: readonly Mutant[] = [
  {
    name: 'a delivery that has waited for a place is sent though the breaker has opened',
    harm: 'An outage uses up attempts of all that waited, though each is known to fail.',
    file: `${DELIVERY}/delivery-act.ts`,
    guard: "      if (admitted !== true && !(await admitted)) return { kind: 'withheld' };\n",
    without: '',
    specs: [`${DELIVERY}/delivery-act.spec.ts`],
  },
  {
    name: 'days before an endpoint was enabled count as days of failures',
    harm: 'An endpoint that was just mended and enabled is disabled by its first failure.',
    file: `${DELIVERY}/endpoint-disabling.ts`,
    guard: 'Math.max(failing.sinceMs, ...asItIs)',
    without: 'failing.sinceMs',
    specs: [`${DELIVERY}/endpoint-disabling.spec.ts`],
  },
  {
    name: 'an endpoint has a bound of attempts a second in each process',
    harm: "A receiver that bears ten requests a second gets as many from each of the ledger's processes.",
    file: `${STATE}/lua/take-token-1.lua`,
    guard: "redis.call('LPUSH', KEYS[1], string.format('%.3f', now))\n",
    without: '',
    specs: [`${STATE}/shared-tokens.int.spec.ts`],
  },
  {
    name: 'the time of an attempt at an endpoint is cut to milliseconds',
    harm: 'More attempts than the merchant allows begin within a second, by up to one millisecond.',
    file: `${STATE}/lua/take-token-1.lua`,
    guard: "string.format('%.3f', now)",
    without: 'math.floor(now)',
    specs: [`${STATE}/shared-tokens.int.spec.ts`],
  },
  {
    name: 'an event of an endpoint makes its failures undone',
    harm: 'A merchant who tests a dead endpoint every few days keeps it from being disabled for ever.',
    file: `${STATE}/endpoint-failures.ts`,
    guard: "this.redis.hdel(this.#key(endpointId), 'open-until')",
    without: 'this.redis.del(this.#key(endpointId))',
    specs: FAILURE_SPECS,
  },
  {
    name: 'what failed before an endpoint was enabled waits for its time',
    harm: 'A merchant enables an endpoint that works again, and what it missed comes a day later.',
    file: `${DELIVERY}/delivery-upkeep.ts`,
    guard: 'await this.retries.promote(failed.map(({ delivery: { member } }) => member));',
    without: '',
    specs: [`${DELIVERY}/delivery-runner.spec.ts`],
  },
  {
    name: 'nothing steps aside as time passes',
    harm: 'One message that a receiver does not take holds its subject back for three days.',
    file: `${DELIVERY}/delivery-upkeep.ts`,
    guard: 'for (const item of queue.failedSince(nowMs - HOLD_BACK_MS)) queue.stepAside(item);',
    without: '',
    specs: [`${DELIVERY}/delivery-runner.spec.ts`],
  },
  {
    name: 'all retries of an endpoint go when its breaker may close',
    harm: 'A receiver that comes back is met by thousands of attempts at once.',
    file: `${DELIVERY}/endpoint-limiter.ts`,
    guard: "known.breaker.state === 'closed' || offered === 0",
    without: 'true',
    specs: [`${DELIVERY}/endpoint-limiter.spec.ts`],
  },
  {
    name: 'first attempts take all places at an endpoint',
    harm: 'While messages come, what failed is never tried again.',
    file: `${DELIVERY}/endpoint-limiter.ts`,
    guard: 'queue.offered - queue.retrying < this.#atOnce - 1',
    without: 'queue.offered - queue.retrying < this.#atOnce',
    specs: [`${DELIVERY}/endpoint-limiter.spec.ts`],
  },
];
