/**
 * What does one app that floods cost another one that buys once? Latency of single purchases, from the click
 * to the webhook that tells of them: alone, and beside an app with a backlog of purchases, one whose gateway
 * account answers after ten seconds, and one whose endpoint never answers. The attempts of a flood are
 * acknowledged before anything is bought beside it. The limit is the median alone, in the same run; the value
 * is the worst of the medians beside a flood. Beside `backlog` the processors are shared, too: a purchase
 * costs a worker some 15 ms, and `backlogPerSecond` says how fast the flood itself went.
 */
import { type BenchResult, median, progress } from './benchmark.js';
import { buyOneByOne, type Receivers, SLOW_CARD, startReceivers } from './fairness-load.js';
import { Purchases } from './purchases.js';
import { Stage } from './stage.js';

export const description =
  'latency of one purchase, from the click to its webhook, beside an app that floods, against alone';

const WARM_UP = 60;
const PURCHASES = 20;
/** More than there are places, by far. */
const FLOOD = 200;
/** Backlogs, one after the other: each is there for one purchase only. */
const ROUNDS = 5;

export function run(): Promise<BenchResult> {
  return Stage.with(async (stage) => {
    const receiver = await startReceivers();
    stage.atEnd(() => receiver.close());
    await stage.start('test/bench/fairness-worker.js', { LOG_LEVEL: 'fatal' });
    return measure(receiver, async (url) => {
      const app = await Purchases.open(stage.client, stage.masterKey, url);
      stage.atEnd(() => app.close());
      return app;
    });
  });
}

async function measure(
  receiver: Receivers,
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
