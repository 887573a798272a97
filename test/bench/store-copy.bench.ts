/**
 * How many purchases a standalone makes while `subledger store copy` catches up beside it, against those that it makes
 * alone, before and after. Each round has a ledger of its own: the copy has to end while purchases go on, and how long
 * that takes grows with the history that it begins with.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { operatorClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { RunningCopy } from '../support/running-copy.js';
import { createPlan } from '../support/scenario.js';
import { startStandalone, temporaryDataDir } from '../support/standalone.js';
import { type BenchResult, median, progress } from './benchmark.js';
import { startProgram } from './program.js';
import { buyOne, openShop, type Shop } from './purchases.bench.js';

export const description =
  'purchases a second while a copy of the store catches up, against those of the same standalone alone';

const ROUNDS = 3;
const BUYERS = 32;
const WARM_UP_MS = 20_000;
const ALONE_MS = 10_000;
const CATCH_UP_LIMIT_MS = 300_000;

interface Round {
  /** Purchases a second, before the copy and after it. */
  readonly alone: number;
  readonly beside: number;
  readonly catchUpS: number;
}

export async function run(): Promise<BenchResult> {
  const rounds: Round[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { alone, beside, catchUpS } = await runRound();
    rounds.push({ alone, beside, catchUpS });
    progress(`alone ${alone}/s, beside ${beside}/s for ${catchUpS} s`);
  }
  return {
    value: median(rounds.map(({ beside }) => beside)),
    limit: median(rounds.map(({ alone }) => alone)),
    ratios: rounds.map(({ alone, beside }) => beside / alone),
    unit: 'purchases/s',
    extra: { rounds },
  };
}

async function runRound(): Promise<Round> {
  const folder = temporaryDataDir();
  const standalone = await startStandalone(folder.dataDir, { LOG_LEVEL: 'error' });
  const shop = await openShop(standalone);
  try {
    await createPlan(operatorClient(standalone.demo), standalone.demo.appId, { code: 'gold' });
    await buyDuring(shop, () => pause(WARM_UP_MS));
    const before = await buyDuring(shop, () => pause(ALONE_MS));
    const beside = await buyDuring(shop, () => catchUp(folder.dataDir));
    const after = await buyDuring(shop, () => pause(ALONE_MS));
    return {
      alone: Math.round((before.perSecond + after.perSecond) / 2),
      beside: beside.perSecond,
      catchUpS: Math.round(beside.tookMs / 1_000),
    };
  } finally {
    await shop.backend.close();
    await shop.player.close();
    await standalone.stop();
    folder.remove();
  }
}

/** As fast as the buyers can, as long as something else takes. */
async function buyDuring(shop: Shop, act: () => Promise<unknown>) {
  let isOver = false;
  let bought = 0;
  const startedAtMs = performance.now();
  const buyers = Array.from({ length: BUYERS }, async () => {
    while (!isOver) {
      await buyOne(shop);
      bought += 1;
    }
  });
  await act();
  const tookMs = performance.now() - startedAtMs;
  const perSecond = Math.round((bought * 1_000) / tookMs);
  isOver = true;
  await Promise.all(buyers);
  return { perSecond, tookMs };
}

async function catchUp(dataDir: string): Promise<void> {
  const target = await startProgram('programs/event-store.js', {}, true);
  const to = String(target.ready['connectionStringFile']);
  const copy = new RunningCopy(dataDir, to);
  const hasCaughtUp = async () => copy.stdout.includes('"caughtUp":true');
  await eventually(hasCaughtUp, { what: 'the copy', limitMs: CATCH_UP_LIMIT_MS });
  await copy.end('SIGKILL');
  await target.stop();
}
