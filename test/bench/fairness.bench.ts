/**
 * What does one app that floods cost another one that buys once? Latency of single purchases, from the click
 * to the webhook that tells of them: alone, and beside an app with a backlog of purchases, one whose gateway
 * account answers after ten seconds, and one whose endpoint never answers. The attempts of a flood are
 * acknowledged before anything is bought beside it. The limit is the median alone, in the same run; the value
 * is the worst of the medians beside a flood. Beside `backlog` the processors are shared, too: a purchase
 * costs a worker some 15 ms, and `backlogPerSecond` says how fast the flood itself went.
 */
import { randomBytes } from 'node:crypto';
import { connectEventStore } from '#event-store/connect';
import { readConnectionString } from '../support/connection-string.js';
import { startRedis } from '../support/redis.js';
import { type BenchResult, median, progress } from './benchmark.js';
import { buyOneByOne, type Receiver, SLOW_CARD, startReceiver } from './fairness-load.js';
import { startProgram } from './program.js';
import { Purchases } from './purchases.js';

export const description =
  'latency of one purchase, from the click to its webhook, beside an app that floods, against alone';

const WARM_UP = 60;
const PURCHASES = 20;
/** More than there are places, by far. */
const FLOOD = 200;
/** Backlogs, one after the other: each is there for one purchase only. */
const ROUNDS = 5;

export async function run(): Promise<BenchResult> {
  const masterKey = randomBytes(32);
  const receiver = await startReceiver();
  const redis = await startRedis();
  const store = await startProgram('programs/event-store.js', {}, true);
  const eventStoreUrl = readConnectionString(store.ready);
  const client = connectEventStore(eventStoreUrl);
  await client.namespaces.open(1);
  const worker = await startProgram('test/bench/fairness-worker.js', {
    EVENTSTOREDB_URL: eventStoreUrl,
    REDIS_URL: redis.url,
    MASTER_KEY: masterKey.toString('base64'),
    ALLOW_INSECURE_TARGETS: 'test-apps',
    LOG_LEVEL: 'fatal',
  });
  const opened: Purchases[] = [];
  const open = async (url: string) => {
    const app = await Purchases.open(client, masterKey, url);
    opened.push(app);
    return app;
  };
  try {
    return await measure(receiver, open);
  } finally {
    for (const app of opened) app.close();
    await worker.stop();
    await client.dispose();
    await store.stop();
    await redis.stop();
    receiver.close();
  }
}

async function measure(
  receiver: Receiver,
  open: (url: string) => Promise<Purchases>,
): Promise<BenchResult> {
  const quiet = await open(receiver.url);
  const buy = async (name: string, count = PURCHASES) => {
    const tookMs = await buyOneByOne(quiet, receiver, count);
    progress(`${name}: ${median(tookMs).toFixed(0)} ms, at most ${Math.max(...tookMs).toFixed(0)}`);
    return tookMs;
  };
  await buy('warm-up', WARM_UP);
  const alone = await buy('alone');
  const flooding = await open(receiver.otherUrl);
  const backlog: number[] = [];
  const perSecond: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { completed } = await flood(flooding, 'pm_ok');
    const startedAtMs = performance.now();
    backlog.push(...(await buy('backlog', 1)));
    await completed;
    perSecond.push((FLOOD * 1000) / (performance.now() - startedAtMs));
  }
  await (
    await flood(await open(receiver.deadUrl), 'pm_ok')
  ).completed;
  const deadEndpoint = await buy('dead endpoint');
  // The last one, since it lasts for minutes.
  await flood(await open(receiver.otherUrl), SLOW_CARD);
  const slowAccount = await buy('slow account');
  const floods = { backlog, deadEndpoint, slowAccount };
  return {
    value: Math.max(...Object.values(floods).map(median)),
    limit: median(alone),
    unit: 'ms',
    extra: {
      ...Object.fromEntries(Object.entries({ alone, ...floods }).map(toFigures)),
      backlogPerSecond: Math.round(median(perSecond)),
    },
  };
}

/** Resolves when all attempts are acknowledged. @returns a promise of the end of all checkouts. */
async function flood(app: Purchases, card: string): Promise<{ completed: Promise<unknown> }> {
  const attempts = Array.from({ length: FLOOD }, () => app.attempt(card));
  const acknowledged = await Promise.all(attempts);
  return { completed: Promise.all(acknowledged.map(({ completed }) => completed)) };
}

function toFigures([name, tookMs]: [string, number[]]) {
  const figures = { medianMs: Math.round(median(tookMs)), maxMs: Math.round(Math.max(...tookMs)) };
  return [name, figures] as const;
}
