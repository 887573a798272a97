/**
 * Holds one of two workers, and one of two projectors, in the middle of each of their acts (SIGSTOP), while the
 * other takes over; then lets it go on, and looks whether every promise is kept (rules/events 6, decision 0009):
 * the former holder changes nothing in Redis, no event and no charge is there twice, and each webhook is
 * delivered, under one id.
 */
import { Findings } from './full-disk/findings.js';
import { untilInterrupted } from './full-disk/until-interrupted.js';
import type { ChaosOptions, ChaosResult } from './chaos.js';
import { type Act, FURTHER_ACTS, PROJECTOR_ACTS, WORKER_ACTS } from './gates/acts.js';
import { holdInTheMiddle } from './gates/hold.js';
import { GatedLedger } from './gates/ledger.js';
import { inspectPurchases } from './purchases-inspection.js';

export const description =
  'SIGSTOP of a worker or projector in the middle of each of its acts, while another takes over\n' +
  '                 (--rounds; --only a number)';

const DEFAULT_ROUNDS = 3;

export function run({
  rounds = DEFAULT_ROUNDS,
  only,
  progress,
}: ChaosOptions): Promise<ChaosResult> {
  const acts = [...WORKER_ACTS, ...FURTHER_ACTS, ...PROJECTOR_ACTS];
  const chosen = acts.filter((_, n) => only === undefined || n === only);
  const inRounds = Array.from({ length: rounds }, () => chosen).flat();
  return untilInterrupted(holdEach(inRounds, progress));
}

/** Holds a process in the middle of each of these acts, one after the other. */
export async function holdEach(
  acts: readonly Act[],
  progress: ChaosOptions['progress'],
): Promise<ChaosResult> {
  const ledger = new GatedLedger();
  try {
    return await play(ledger, acts, progress);
  } finally {
    await ledger.stop();
  }
}

async function play(
  ledger: GatedLedger,
  acts: readonly Act[],
  progress: ChaosOptions['progress'],
): Promise<ChaosResult> {
  const findings = new Findings();
  await ledger.start();
  for (const [n, act] of acts.entries()) {
    const pair = PROJECTOR_ACTS.includes(act) ? ledger.projectors : ledger.workers;
    await holdInTheMiddle(act, pair, ledger, findings);
    progress(n + 1, acts.length, act.name);
  }
  const purchases = await inspectPurchases(ledger, findings);
  const repeatedWebhooks = ledger.receiver.received.length - 2 * purchases;
  const held = acts.length;
  const figures = {
    held,
    acts: [...new Set(acts.map(({ name }) => name))],
    purchases,
    repeatedWebhooks,
  };
  const summary = `${held} times held: ${purchases} purchases, ${repeatedWebhooks} webhooks repeated`;
  return { summary, figures, findings: findings.lines };
}
