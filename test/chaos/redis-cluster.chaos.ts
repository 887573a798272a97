/**
 * Kills or halts masters of a Redis Cluster under load, each of which has acknowledged more than its replica has, and
 * looks whether every promise is kept (rules/running 9): no acknowledged command is lost, each purchase is charged
 * once, each of its webhooks is delivered, under one id however often, the read models agree with the store, and reads
 * answer again.
 */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.js';
import { startRedisCluster } from '../support/redis-cluster.js';
import type { ChaosOptions, ChaosResult } from './chaos.js';
import { Findings } from './full-disk/findings.js';
import { untilInterrupted } from './full-disk/until-interrupted.js';
import { type Death, failOver, makeWhole } from './redis-cluster/fail-over.js';
import { LedgerOnRedis } from './redis-cluster/ledger-on-redis.js';
import { inspectPurchases } from './purchases-inspection.js';

export const description =
  'kill -9, or a halt, of a master of a Redis Cluster under load, again and again (--rounds)';

const DEFAULT_ROUNDS = 4;
/** Enough that some are on their way when the master dies, and when its replica takes over. */
const PURCHASES_A_ROUND = 300;
const WARM_UP = 50;
/** From the beginning of the load to the moment from which the replica gets nothing more. */
const BEFORE_MS = 1_000;
/** How much of the last acknowledged writes the replica lacks, in turns: many batches, or a part of one. */
const LOST_MS = [500, 50, 5];
/** The end of the master, in turns. */
const DEATHS: readonly Death[] = ['hung', 'killed'];
const GIVE_UP_MS = 120_000;

export async function run({
  rounds = DEFAULT_ROUNDS,
  progress,
}: ChaosOptions): Promise<ChaosResult> {
  const ledger = new LedgerOnRedis(await startRedisCluster(1));
  try {
    return await untilInterrupted(play(ledger, rounds, progress));
  } finally {
    await ledger.stop();
  }
}

async function play(
  ledger: LedgerOnRedis,
  rounds: number,
  progress: ChaosOptions['progress'],
): Promise<ChaosResult> {
  const findings = new Findings();
  await ledger.start();
  await ledger.purchases.buy(WARM_UP);
  const readsAgainAfterMs: number[] = [];
  const loadTookMs: number[] = [];
  for (let n = 1; n <= rounds; n += 1) {
    const startedAtMs = performance.now();
    const load = ledger.purchases.buy(PURCHASES_A_ROUND);
    const untilBought = async () => {
      await withinLimit(load, findings);
      loadTookMs.push(Math.round(performance.now() - startedAtMs));
    };
    readsAgainAfterMs.push(await loseOne(ledger, n, untilBought));
    progress(n, rounds, `rounds: reads answer again after ${readsAgainAfterMs.at(-1)} ms`);
  }
  const purchases = await inspectPurchases(ledger, findings);
  const ready = await fetch(`${ledger.apiUrl}/readyz`);
  if (!ready.ok) findings.add('the API is not ready', await ready.text());
  const webhooks = ledger.receiver.received.length;
  const figures = {
    rounds,
    purchases,
    readsAgainAfterMs,
    loadTookMs,
    webhooks,
    repeatedWebhooks: Math.max(0, webhooks - 2 * purchases),
  };
  const summary = Object.entries(figures)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join('\n');
  return { summary, figures, findings: findings.lines };
}

/** @returns how long after the death of the master reads in all partitions answered again. */
async function loseOne(
  ledger: LedgerOnRedis,
  round: number,
  load: () => Promise<void>,
): Promise<number> {
  const { server: cluster } = ledger;
  await sleep(BEFORE_MS);
  const masters = await cluster.masters();
  const master = masters[round % masters.length];
  if (master === undefined) throw new Error('the cluster has no masters');
  const death = DEATHS[round % DEATHS.length] ?? 'killed';
  await failOver(master, death, LOST_MS[round % LOST_MS.length] ?? 0);
  const diedAtMs = performance.now();
  await untilReadsAnswer(ledger);
  const answeredAfterMs = Math.round(performance.now() - diedAtMs);
  // All of it is done without the former master: one that hangs does so until then.
  await load();
  await makeWhole(cluster, master, death);
  return answeredAfterMs;
}

async function withinLimit(load: Promise<unknown>, findings: Findings): Promise<void> {
  const timer = new AbortController();
  const limit = sleep(GIVE_UP_MS, 'late', { signal: timer.signal }).catch(() => 'over');
  const outcome = await Promise.race([load, limit]);
  timer.abort();
  if (outcome === 'late') findings.add('purchases were not complete', `within ${GIVE_UP_MS} ms`);
}

/** Resolves when every partition answers with the store's events of the call's moment. */
async function untilReadsAnswer({ store, readModels }: LedgerOnRedis): Promise<void> {
  // The store answers whatever Redis does.
  const position = await store.headPosition();
  const answer = () =>
    readModels.waitFor(position, { timeoutMs: GIVE_UP_MS }).then(
      () => true,
      () => false,
    );
  await eventually(answer, { limitMs: GIVE_UP_MS, what: 'the reads of all partitions' });
}
