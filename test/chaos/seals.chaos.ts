/**
 * Ends the one of two bookkeepers that seals (SIGKILL) at each of its steps: right before it sends something, or right
 * before it learns of the answer. The other one goes on, and in the end each event has one leaf, in one log that an
 * audit finds right (rules/evidence 5).
 */
import { formatVerifierKey, readSigningKey } from '#seal';
import { KnownKeys, verifySeals } from '#seal-audit';
import { SealReader } from '#sealing';
import { eventually } from '../support/eventually.js';
import { readSealedHashes } from '../integration/sealing/support.js';
import type { ChaosOptions, ChaosResult } from './chaos.js';
import { Random } from './edge/random.js';
import { Findings } from './full-disk/findings.js';
import { untilInterrupted } from './full-disk/until-interrupted.js';
import { BookkeeperPair } from './seals/pair.js';
import { SEAL_STEPS, type SealStep } from './seals/steps.js';

export const description =
  'SIGKILL of the one of two bookkeepers that seals, at each of its steps\n' +
  '                 (--rounds; --seed; --only a number)';

const DEFAULT_ROUNDS = 3;
const SEALED_LIMIT_MS = 60_000;
/** Each step has at least a full tile. */
const LEAST_EVENTS = 256;
const MORE_EVENTS = 600;

export function run({
  rounds = DEFAULT_ROUNDS,
  seed = 0,
  only,
  progress,
}: ChaosOptions): Promise<ChaosResult> {
  const chosen = SEAL_STEPS.filter((_, at) => only === undefined || at === only);
  const steps = Array.from({ length: rounds }, () => chosen).flat();
  return untilInterrupted(killInRounds(steps, seed, progress));
}

async function killInRounds(
  steps: readonly SealStep[],
  seed: number,
  progress: ChaosOptions['progress'],
): Promise<ChaosResult> {
  const pair = await BookkeeperPair.start();
  try {
    const findings = await killAtEach(pair, steps, seed, progress);
    const figures = { kills: steps.length, events: pair.events };
    const summary = `${figures.kills} kills, ${figures.events} events, each with one leaf`;
    return { summary, figures, findings: findings.lines };
  } finally {
    await pair.stop();
  }
}

/** Kills at these steps, one after the other, and looks after each whether the log is right. */
export async function killAtEach(
  pair: BookkeeperPair,
  steps: readonly SealStep[],
  seed: number,
  progress: ChaosOptions['progress'],
): Promise<Findings> {
  const findings = new Findings();
  for (const [at, step] of steps.entries()) {
    const count = LEAST_EVENTS + new Random(seed, at).below(MORE_EVENTS);
    await killAt(pair, step, count);
    const what = `a bookkeeper that ${step.name} dies`;
    for (const found of await audit(pair)) findings.add(what, found);
    progress(at + 1, steps.length, step.name);
  }
  return findings;
}

async function killAt(pair: BookkeeperPair, step: SealStep, count: number): Promise<void> {
  const { text, isAnswered = false } = step;
  const gated = { program: 'bookkeeper', text, isAnswered };
  const victim = await step.provoke(pair, count, ({ gate }) => gate.shut(gated, 'SIGKILL'));
  await victim.gate.untilReached(gated);
  await victim.kill();
  await pair.freeLease();
  const others = pair.bookkeepers.filter(({ isRunning }) => !isRunning);
  const started = Promise.all(others.map((each) => each.start()));
  await untilSealed(pair);
  await started;
}

async function untilSealed({ ledger, events }: BookkeeperPair): Promise<void> {
  const reader = new SealReader(ledger.store);
  const isSealed = async () => (await reader.findLast())?.checkpoint.size === events;
  await eventually(isSealed, { what: `a checkpoint of ${events}`, limitMs: SEALED_LIMIT_MS });
}

async function audit({ ledger: { store, key }, events }: BookkeeperPair): Promise<string[]> {
  const { storeId } = await store.namespaces.require();
  const vkey = formatVerifierKey(readSigningKey(`test/ledger/${storeId}`, key));
  const verified = await verifySeals({ store, keys: new KnownKeys([vkey]) });
  const found = verified?.findings.map(({ text }) => text) ?? ['there is no checkpoint'];
  const leaves = await readSealedHashes(store);
  const different = new Set(leaves).size;
  if (leaves.length !== events || different !== events) {
    found.push(`${events} events have ${leaves.length} leaves, ${different} of them different`);
  }
  return found;
}
