/**
 * Demotes the Redis of a ledger to a replica that lives on, under load, while its address leads to the new master sooner
 * or later, and looks whether every promise is kept (rules/running 14): no acknowledged command is lost, each purchase
 * is charged once and its webhooks come under one id, reads answer within seconds after the address has moved, and
 * programs that found no master used next to no processor time meanwhile.
 */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { readSpentMs } from '../bench/program.js';
import { eventually } from '../support/eventually.js';
import type { ChaosOptions, ChaosResult } from './chaos.js';
import { Findings } from './full-disk/findings.js';
import { untilInterrupted } from './full-disk/until-interrupted.js';
import { countMissingWebhooks, findSubscriptions, inspect } from './redis-cluster/inspection.js';
import { LedgerOnRedis } from './redis-cluster/ledger-on-redis.js';
import { untilReadsAnswer } from './redis-cluster/reads.js';
import { ServersBehindAddress } from './redis-demotion/servers.js';

export const description =
  'a Redis that is demoted to a replica under load and lives on behind its address (--rounds)';

const DEFAULT_ROUNDS = 4;
const PURCHASES_A_ROUND = 200;
const WARM_UP = 50;
/** From the beginning of the load to the failover. */
const BEFORE_MS = 500;
/** How long the address leads to the replica, in turns. */
const MOVED_AFTER_MS = [0, 500, 4_000];
/** How long programs are looked at without load. */
const REST_MS = 5_000;
const GIVE_UP_MS = 120_000;
/** Rules/running 14: within so long after the address has moved. */
const WORKS_AGAIN_WITHIN_MS = 5_000;

type DemotedLedger = LedgerOnRedis<ServersBehindAddress>;

export async function run({
  rounds = DEFAULT_ROUNDS,
  progress,
}: ChaosOptions): Promise<ChaosResult> {
  const ledger = new LedgerOnRedis(await ServersBehindAddress.start());
  try {
    return await untilInterrupted(play(ledger, rounds, progress));
  } finally {
    await ledger.stop();
  }
}

async function play(
  ledger: DemotedLedger,
  rounds: number,
  progress: ChaosOptions['progress'],
): Promise<ChaosResult> {
  const findings = new Findings();
  await ledger.start();
  await ledger.purchases.buy(WARM_UP);
  const readsAgainAfterMs: number[] = [];
  for (let n = 1; n <= rounds; n += 1) {
    const againAfterMs = await demoteUnderLoad(ledger, n);
    readsAgainAfterMs.push(againAfterMs);
    if (againAfterMs > WORKS_AGAIN_WITHIN_MS) findings.add('reads came late', `${againAfterMs} ms`);
    progress(n, rounds, `rounds: reads answer again after ${againAfterMs} ms`);
  }
  const processors = await demoteAtRest(ledger);
  const subscriptionIds = await findSubscriptions(ledger, findings);
  const { received } = ledger.receiver;
  await eventually(() => countMissingWebhooks(subscriptionIds, received) === 0, {
    limitMs: GIVE_UP_MS,
    what: 'all webhooks',
  }).catch(() => undefined);
  await inspect(subscriptionIds, ledger, findings);
  const repeatedWebhooks = Math.max(0, received.length - 2 * subscriptionIds.length);
  const purchases = subscriptionIds.length;
  const figures = { rounds, purchases, readsAgainAfterMs, repeatedWebhooks, ...processors };
  const lines = Object.entries(figures).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return { summary: lines.join('\n'), figures, findings: findings.lines };
}

/** @returns how long after the address had moved reads in all partitions, and the API's readiness, answered again. */
async function demoteUnderLoad(ledger: DemotedLedger, round: number): Promise<number> {
  const load = ledger.purchases.buy(PURCHASES_A_ROUND);
  await sleep(BEFORE_MS);
  await ledger.redis.failOver();
  await sleep(MOVED_AFTER_MS[round % MOVED_AFTER_MS.length] ?? 0);
  ledger.redis.moveAddress();
  const movedAtMs = performance.now();
  await Promise.all([untilReadsAnswer(ledger, GIVE_UP_MS), untilReady(ledger)]);
  const againAfterMs = Math.round(performance.now() - movedAtMs);
  await load;
  return againAfterMs;
}

async function untilReady({ apiUrl }: DemotedLedger): Promise<void> {
  await eventually(async () => (await fetch(`${apiUrl}/readyz`)).ok, { limitMs: GIVE_UP_MS });
}

/** @returns how many processors all programs use at rest, while there is no master, and at rest again. */
async function demoteAtRest(ledger: DemotedLedger): Promise<Readonly<Record<string, number>>> {
  await sleep(REST_MS);
  const processorsBefore = await countProcessors(ledger);
  await ledger.redis.failOver();
  const processorsDemoted = await countProcessors(ledger);
  const { ok } = await fetch(`${ledger.apiUrl}/readyz`);
  ledger.redis.moveAddress();
  await untilReadsAnswer(ledger, GIVE_UP_MS);
  await untilReady(ledger);
  await sleep(REST_MS);
  const processorsAfter = await countProcessors(ledger);
  return { processorsBefore, processorsDemoted, processorsAfter, readyWhileDemoted: Number(ok) };
}

async function countProcessors({ programs }: DemotedLedger): Promise<number> {
  const spentMs = () => programs.reduce((sum, { pid }) => sum + readSpentMs(pid), 0);
  const [before, startedAtMs] = [spentMs(), performance.now()];
  await sleep(REST_MS);
  const share = (spentMs() - before) / (performance.now() - startedAtMs);
  return Math.round(share * 1000) / 1000;
}
