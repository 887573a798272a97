import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../edge/random.js';
import type { BreakableLedger } from './ledger.js';

/** A breakage, and the messages that may come again because of it. */
export interface Breakage {
  readonly kind: BreakageKind;
  readonly atMs: number;
  /** A message first accepted before this may not come again for it. */
  readonly repeatsFromMs: number;
}

export const BREAKAGES = {
  'a worker is killed': killWorker,
  'a worker is halted': haltWorker,
  'Redis is killed': killRedis,
  'Redis is halted': haltRedis,
  'Redis is emptied': emptyRedis,
  'the append-only file is cut': cutAppendOnly,
  'Redis is emptied beside a halted worker': emptyBesideHalted,
} as const;

export type BreakageKind = keyof typeof BREAKAGES;

/** From a success until it is noted in Redis: milliseconds, on a busy machine more. */
const NOTED_WITHIN_MS = 1_000;
/** The backup is written once a second (rules/webhooks 8), and its content was true a moment before. */
const BACKED_UP_WITHIN_MS = 1_000 + NOTED_WITHIN_MS;
/** Longer and shorter than the lease of a partition. */
const HALTED_MS = [300, 1_500, 6_000];
const DOWN_MS = [0, 500, 2_500];
const CUT_MS = [50, 300, 1_000, 2_000];
const SAMPLE_EVERY_MS = 25;

type Break = (ledger: BreakableLedger, random: Random) => Promise<number>;

/** Breaks something and mends it. */
export async function breakOnce(
  kind: BreakageKind,
  ledger: BreakableLedger,
  random: Random,
): Promise<Breakage> {
  const calledAtMs = performance.now();
  const act: Break = BREAKAGES[kind];
  const repeatsForMs = await act(ledger, random);
  // A cut is only known when some time has passed; all others break at once.
  const atMs = kind === 'the append-only file is cut' ? performance.now() : calledAtMs;
  return { kind, atMs: calledAtMs, repeatsFromMs: atMs - repeatsForMs };
}

async function killWorker(ledger: BreakableLedger, random: Random): Promise<number> {
  const n = random.below(2);
  await ledger.worker(n).kill();
  await sleep(random.pick(DOWN_MS));
  await ledger.startWorker(n);
  return NOTED_WITHIN_MS;
}

async function haltWorker(ledger: BreakableLedger, random: Random): Promise<number> {
  const worker = ledger.worker(random.below(2));
  worker.pause();
  await sleep(random.pick(HALTED_MS));
  worker.resume();
  return NOTED_WITHIN_MS;
}

async function killRedis(ledger: BreakableLedger, random: Random): Promise<number> {
  await ledger.redis.kill();
  await sleep(random.pick(DOWN_MS));
  await ledger.startRedis();
  return NOTED_WITHIN_MS;
}

async function haltRedis(ledger: BreakableLedger, random: Random): Promise<number> {
  ledger.redis.pause();
  await sleep(random.pick(HALTED_MS));
  ledger.redis.resume();
  return NOTED_WITHIN_MS;
}

async function emptyRedis(ledger: BreakableLedger): Promise<number> {
  await ledger.redis.command('FLUSHALL');
  return BACKED_UP_WITHIN_MS;
}

/** Redis then holds its data of some time before, but for a command that is half there. */
async function cutAppendOnly(ledger: BreakableLedger, random: Random): Promise<number> {
  const lostMs = random.pick(CUT_MS);
  const samples: { readonly atMs: number; readonly bytes: number }[] = [];
  const endsAtMs = performance.now() + lostMs;
  while (samples.length === 0 || performance.now() < endsAtMs) {
    samples.push({ bytes: await ledger.appendOnlyBytes(), atMs: performance.now() });
    await sleep(SAMPLE_EVERY_MS);
  }
  await ledger.redis.kill();
  const [first] = samples;
  const whole = await ledger.appendOnlyBytes();
  const kept = Math.min(whole, (first?.bytes ?? whole) + random.below(40));
  await ledger.cutAppendOnly(kept);
  await ledger.startRedis();
  return performance.now() - (first?.atMs ?? 0) + BACKED_UP_WITHIN_MS;
}

async function emptyBesideHalted(ledger: BreakableLedger, random: Random): Promise<number> {
  const worker = ledger.worker(random.below(2));
  worker.pause();
  await ledger.redis.command('FLUSHALL');
  await sleep(random.pick(HALTED_MS));
  worker.resume();
  return BACKED_UP_WITHIN_MS;
}
