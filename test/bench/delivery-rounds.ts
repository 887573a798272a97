/** Ours and a bare worker, which deliver as many messages in turns. */
import { median, progress } from './benchmark.js';
import { BareDeliveries, type Delivered } from './delivery-bare.js';
import { DeliveryScene, whileHalted } from './delivery-scene.js';
import { DeliverySubjects } from './delivery-subjects.js';
import type { RunningProgram } from '../support/program.js';
import { readSpentMs } from './spent.js';

/** A machine that others use as well gives one and the same worker half as much from one second to the next. */
const ROUNDS = 3;
const MESSAGES_A_SUBJECT = 2;
/** Before those that count, until the compilers have seen enough of the code for new subjects and a backlog. */
const WARM_UP_ROUNDS = 3;
/** Of subjects in rounds that do not count: another worker has to read them all before. */
const WARM_UP_PAYMENTS = 2;
const WARM_UP = 1_000;
const WARM_UP_SUBJECTS = 100;

/** Medians of the rounds, each figure by itself. */
export interface Comparison {
  readonly ours: Delivered;
  readonly bare: Delivered;
  readonly ratio: number;
  readonly bodyBytes: number;
}

/** @param payments of each subject before. @param count of the messages of a round. */
export function compareWithBare(payments: number, count: number): Promise<Comparison> {
  return DeliveryScene.with(async (scene) => {
    const ours = await OurDeliveries.start(scene, payments, count);
    const body = scene.receiver.lastBody();
    const bare = await BareDeliveries.start(scene, body, WARM_UP);
    try {
      const rounds: Round[] = [];
      for (let round = 1 - WARM_UP_ROUNDS; round <= ROUNDS; round += 1) {
        const taken = { ours: await ours.deliver(count), bare: await bare.deliver(count) };
        if (round > 0) rounds.push(taken);
        progress(`${payments} payments, round ${round}: ${describeRound(taken)}`);
      }
      return summarize(rounds, Buffer.byteLength(body));
    } finally {
      await bare.stop();
    }
  });
}

interface Round {
  readonly ours: Delivered;
  readonly bare: Delivered;
}

function describeRound({ ours, bare }: Round): string {
  const ratio = (ours.perSecond / bare.perSecond).toFixed(3);
  return `${ours.perSecond.toFixed(0)}/s of ${bare.perSecond.toFixed(0)}, ratio ${ratio}`;
}

function summarize(rounds: readonly Round[], bodyBytes: number): Comparison {
  const middle = (side: keyof Round): Delivered => ({
    perSecond: median(rounds.map((taken) => taken[side].perSecond)),
    msEach: median(rounds.map((taken) => taken[side].msEach)),
  });
  const ratio = median(rounds.map(({ ours, bare }) => ours.perSecond / bare.perSecond));
  return { ours: middle('ours'), bare: middle('bare'), ratio, bodyBytes };
}

/** A worker, and subjects that are new to it in each round: another one has read the former events. */
class OurDeliveries {
  private constructor(
    private readonly scene: DeliveryScene,
    private readonly worker: RunningProgram,
    private readonly rounds: DeliverySubjects[],
  ) {}

  static async start(
    scene: DeliveryScene,
    payments: number,
    count: number,
  ): Promise<OurDeliveries> {
    const { store, ledger, receiver } = scene;
    const { appId } = await ledger.createApp();
    const write = (subjects: number, before = payments) =>
      DeliverySubjects.write(store, ledger, appId, { count: subjects, payments: before });
    progress(`${payments} payments: writing what was before`);
    const rounds: DeliverySubjects[] = [];
    for (let round = 1 - WARM_UP_ROUNDS; round <= ROUNDS; round += 1) {
      const before = round > 0 ? payments : WARM_UP_PAYMENTS;
      rounds.push(await write(Math.ceil(count / MESSAGES_A_SUBJECT), before));
    }
    const warm = await write(WARM_UP_SUBJECTS);
    await ledger.addEndpoint(appId, `${receiver.url}/`);
    const before = await scene.startWorker();
    await receiver.untilAll(await appendTo(warm, WARM_UP_SUBJECTS));
    await scene.untilNothingIsInFlight();
    await before.stop();
    const worker = await scene.startWorker();
    await receiver.untilAll(await appendTo(warm, WARM_UP));
    return new OurDeliveries(scene, worker, rounds);
  }

  async deliver(count: number): Promise<Delivered> {
    const { pid } = this.worker;
    const subjects = this.rounds.shift();
    if (subjects === undefined) throw new Error('there are no subjects for another round');
    let messages: string[] = [];
    await whileHalted(this.worker, async () => {
      messages = await appendTo(subjects, count);
    });
    const startedAtMs = performance.now();
    const spentMs = readSpentMs(pid);
    const tookMs = (await this.scene.receiver.untilAll(messages)) - startedAtMs;
    const msEach = (readSpentMs(pid) - spentMs) / count;
    return { perSecond: (count * 1000) / tookMs, msEach };
  }
}

async function appendTo(subjects: DeliverySubjects, count: number): Promise<string[]> {
  return (await subjects.appendAll(count)).map((message) => `/ ${message}`);
}
