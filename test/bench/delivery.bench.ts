/**
 * How fast webhooks are delivered: signed, 1 kB bodies, to a receiver on this machine, from events that are in the
 * store already to the last 2xx. The limit is a bare worker of BullMQ that posts the same bytes with undici in the same
 * run, as a process of its own, with its jobs added beforehand; the two take turns in several rounds. Each subject gets
 * two messages, its first ones: with 2 and with 25 payments before them, which have to be read for the first of them.
 *
 * Then how long it takes from an append to the receipt, at a pace that heeds no answer: undisturbed, with one of an
 * app's ten endpoints hanging, and for the endpoints of other apps while the 32 of one app never answer, against
 * the same without a message for these.
 */
import type { RunningProgram } from '../support/program.js';
import { type BenchOptions, type BenchResult, progress, readLoad } from './benchmark.js';
import { type Latency, measureLatency, type Stream } from './delivery-latency.js';
import { DeliveryScene } from './delivery-scene.js';
import { DeliverySubjects } from './delivery-subjects.js';
import { compareWithBare, type Comparison } from './delivery-rounds.js';
import { countSpent } from './spent.js';

export const description =
  'webhooks against a bare worker of BullMQ, and from append to receipt beside dead endpoints (--events of a round, 2,000)';

const DEFAULT_COUNT = 2_000;
const SECONDS = 8;
/**
 * Until V8 has compiled the code of a delivery: 2,800 messages were too few, and p99 at 500 a second was up to 64 ms
 * behind them.
 */
const WARM_UP_SECONDS = 20;
/** A subject's next message comes when the one before it has long arrived. */
const PACED_SUBJECTS = 1_000;
const GOALS = {
  ratio: 0.4,
  p99Ms: 25,
  healthyP99Ms: 500,
  besideDeadApp: 1.5,
};

export async function run({ events: count = DEFAULT_COUNT }: BenchOptions): Promise<BenchResult> {
  const few = await compareWithBare(2, count);
  const many = await compareWithBare(25, count);
  const { at200, at500, hanging } = await DeliveryScene.with(measurePaced);
  const dead = await DeliveryScene.with(measureBesideDeadApp);
  const worst = few.ratio < many.ratio ? few : many;
  return {
    value: worst.ours.perSecond,
    limit: worst.bare.perSecond,
    unit: 'messages/s',
    extra: {
      messages: count,
      bodyBytes: few.bodyBytes,
      goalRatio: GOALS.ratio,
      payments2: describe(few),
      payments25: describe(many),
      ...{ goalP99Ms: GOALS.p99Ms, at200, at500 },
      ...{ goalHealthyP99Ms: GOALS.healthyP99Ms, besideOneOfTenHanging: hanging },
      ...{ goalBesideDeadApp: GOALS.besideDeadApp, besideDeadApp: dead },
      load: readLoad(),
    },
  };
}

/** One endpoint at two paces; then one app with ten endpoints, of which one hangs. */
async function measurePaced(scene: DeliveryScene) {
  const one = await openStream(scene, ['/one'], 0);
  const ten = await openStream(scene, paths('ten', 9), 1);
  const worker = await scene.startWorker();
  await measureLatency(scene.receiver, [one], { perSecond: 500, seconds: WARM_UP_SECONDS });
  const at200 = await measureAt(scene, worker, 'one endpoint', [one], 200, 200);
  const at500 = await measureAt(scene, worker, 'one endpoint', [one], 500, 500);
  // Ten endpoints get each message, the one that hangs as well.
  const hanging = await measureAt(scene, worker, 'one of ten hangs', [ten], 20, 200);
  return { at200, at500, hanging };
}

/** 68 endpoints of 17 apps that answer, and 32 of one app that do not. */
async function measureBesideDeadApp(scene: DeliveryScene) {
  const healthy: Stream[] = [];
  for (let app = 0; app < 17; app += 1) {
    healthy.push(await openStream(scene, paths(`app-${app}`, 4), 0, PACED_SUBJECTS / 10));
  }
  const dead = await openStream(scene, [], 32, PACED_SUBJECTS / 10);
  const worker = await scene.startWorker();
  await measureLatency(scene.receiver, healthy, { perSecond: 50, seconds: SECONDS / 2 });
  const without = await measureAt(scene, worker, '68 alone', healthy, 50, 200);
  // Every 18th event is the dead app's: some three a second, to 32 endpoints each.
  const beside = await measureAt(scene, worker, '68 beside 32', [...healthy, dead], 53, 212);
  return { ratio: Number((beside.p99Ms / without.p99Ms).toFixed(2)), without, beside };
}

/** An app with endpoints that answer, one for each path, and some that do not. */
async function openStream(
  { store, ledger, receiver }: DeliveryScene,
  answering: readonly string[],
  dead: number,
  count = PACED_SUBJECTS,
): Promise<Stream> {
  const { appId } = await ledger.createApp();
  const subjects = await DeliverySubjects.write(store, ledger, appId, { count, payments: 2 });
  for (const path of answering) await ledger.addEndpoint(appId, `${receiver.url}${path}`);
  for (let n = 0; n < dead; n += 1) await ledger.addEndpoint(appId, receiver.deadUrl);
  return { subjects, paths: answering };
}

async function measureAt(
  { receiver }: DeliveryScene,
  { pid }: RunningProgram,
  name: string,
  streams: readonly Stream[],
  perSecond: number,
  messagesPerSecond: number,
): Promise<Latency & { readonly msEach: number }> {
  const spent = countSpent({ worker: pid });
  const latency = await measureLatency(receiver, streams, { perSecond, seconds: SECONDS });
  const { worker: msEach } = spent(messagesPerSecond * SECONDS);
  progress(`${name}, ${messagesPerSecond} messages/s: ${JSON.stringify(latency)}`);
  return { ...latency, msEach };
}

const paths = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => `/${name}/${n}`);

function describe({ ours, bare, ratio }: Comparison) {
  return {
    ratio: Number(ratio.toFixed(3)),
    perSecond: Math.round(ours.perSecond),
    barePerSecond: Math.round(bare.perSecond),
    msEach: Number(ours.msEach.toFixed(2)),
    bareMsEach: Number(bare.msEach.toFixed(2)),
  };
}
