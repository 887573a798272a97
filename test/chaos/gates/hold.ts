import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../support/eventually.js';
import { readContents } from '../../support/redis-contents.js';
import type { Findings } from '../full-disk/findings.js';
import type { Act } from './acts.js';
import type { GatedProgram } from './gated-program.js';
import type { GatedLedger } from './ledger.js';

const LIMIT_MS = 60_000;
/** Nothing has changed for so long: the act is over. */
const QUIET_MS = 300;

/**
 * Holds the process that works on the partition in the middle of an act, until the other one has taken over and done
 * its work; then lets it go on, and looks whether it changes anything. An act that ends something finds nothing to end
 * then, with its fence or without: its mutant shows that such an act is fenced.
 */
export async function holdInTheMiddle(
  act: Act,
  pair: readonly GatedProgram[],
  ledger: GatedLedger,
  findings: Findings,
): Promise<void> {
  const held = await findHolder(pair, ledger);
  held.shut(act.texts);
  const provoked = act.provoke(ledger);
  // Awaited below: should it fail before that, this run has failed, and not the whole process.
  provoked.catch(() => undefined);
  await held.untilHeld();
  await untilTakenOver(held, ledger);
  await provoked;
  await untilQuiet(ledger);
  // As when thousands of newer ones have ended: an ended delivery must not be begun again for that.
  await ledger.redis.del(ledger.workerKeys.ended);
  const before = await readState(ledger);
  const heardBefore = await readMemberships(held, ledger);
  held.resume();
  await untilHeard(held, heardBefore, ledger);
  await untilQuiet(ledger);
  const after = await readState(ledger);
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    // An answer to a test clock is kept for a minute, so that it may have ended meanwhile.
    const hasEnded = key.startsWith(ledger.workerKeys.clockPart('')) && !after.has(key);
    if (!hasEnded && before.get(key) !== after.get(key)) {
      findings.add(`${act.name}: a former holder has changed Redis`, key);
    }
  }
}

/** The holder of the worker's partition, or of that of the read model of subscriptions. */
async function findHolder(
  pair: readonly GatedProgram[],
  { redis }: GatedLedger,
): Promise<GatedProgram> {
  let found: GatedProgram | undefined;
  const isFound = async () => {
    const leases = await redis.keys('*:lease');
    const holders = await redis.mget(leases);
    found = pair.find(({ holder }) => holders.includes(holder));
    return found !== undefined;
  };
  await eventually(isFound, { what: 'a holder', limitMs: LIMIT_MS });
  if (found === undefined) throw new Error('there is no holder');
  return found;
}

/**
 * As when time passes: the leases of the one that stands still end, and with a worker the locks of its jobs.
 * Resolves when the other one has its partitions.
 */
async function untilTakenOver(held: GatedProgram, { redis }: GatedLedger): Promise<void> {
  const leases: string[] = [];
  for (const key of await redis.keys('*:lease')) {
    if ((await redis.get(key)) === held.holder) leases.push(key);
  }
  await redis.del(leases);
  const locks = held.holder.startsWith('worker') ? await redis.keys('*:worker:*:lock') : [];
  if (locks.length > 0) await redis.del(locks);
  const isTaken = async () => (await redis.exists(leases)) === leases.length;
  await eventually(isTaken, { what: `a successor of ${held.holder}`, limitMs: LIMIT_MS });
}

/** Nothing is in flight, and nothing changes any more. */
async function untilQuiet(ledger: GatedLedger): Promise<void> {
  const { redis, workerKeys } = ledger;
  let last: ReadonlyMap<string, string> = new Map();
  const isQuiet = async () => {
    const busy = await redis.exists(workerKeys.inFlight);
    await sleep(QUIET_MS);
    const now = await readState(ledger);
    const isSame =
      now.size === last.size && [...now].every(([key, text]) => last.get(key) === text);
    last = now;
    return busy === 0 && isSame;
  };
  await eventually(isQuiet, { what: 'the end of all work', limitMs: LIMIT_MS });
}

/**
 * All that Redis holds but for leases and BullMQ's keys, for how far the store was read, with which an idle process
 * moves on, and for the log of attempts, which has no fence: an attempt that a former holder made was made (decision 0031).
 */
async function readState({ redis, workerKeys }: GatedLedger): Promise<ReadonlyMap<string, string>> {
  const ofOthers = ['webhooks', 'payments', 'delivery:log'];
  const unfenced = ofOthers.map((name) => `${workerKeys.prefix}:${name}:`);
  const isOurs = (key: string) =>
    !/:(lease|members|in-use|checkpoint|store)$/.test(key) &&
    !unfenced.some((prefix) => key.startsWith(prefix));
  const keys = (await redis.keys('*')).filter(isOurs).sort();
  return readContents(redis, keys);
}

/** When it was last heard of, as each list of members says. */
async function readMemberships(
  { holder }: GatedProgram,
  { redis }: GatedLedger,
): Promise<Map<string, number>> {
  const lists = await redis.keys('*:members');
  const scores = await Promise.all(lists.map((list) => redis.zscore(list, holder)));
  return new Map(lists.map((list, n) => [list, Number(scores[n] ?? 0)]));
}

/** The act that was held was sent before: it looks after its leases now, and learns of its losses. */
async function untilHeard(
  held: GatedProgram,
  before: ReadonlyMap<string, number>,
  ledger: GatedLedger,
): Promise<void> {
  const isHeard = async () => {
    const now = await readMemberships(held, ledger);
    return [...now].some(([list, at]) => at > (before.get(list) ?? 0));
  };
  await eventually(isHeard, { what: `a word of ${held.holder}`, limitMs: LIMIT_MS });
}
