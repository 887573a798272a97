/**
 * Does work divide? The processor time of workers and projectors for one purchase (a checkout, its charge,
 * two webhooks, the read models), with 1, 2 and 4 of each in one ledger of 16 partitions. The limit is
 * that of one of each, in the same run: a ratio of 1 is work that divides and costs nothing to divide.
 *
 * Purchases come at the same rate for all counts, a rate that two quiet cores carry with four of each and time to
 * spare. Buyers who begin anew when they are served would measure the machine: with eight programs on the cores of the
 * load they are served at half the rate, so that a program's work of each second falls upon half as many purchases.
 * That is measured too, as `closedLoop`. At the same rate four of each have a quarter of the work each, and any process
 * that has less to do spends more for each purchase, since it wakes for fewer events at a time: the cost of dividing
 * itself is seen at `sameShare`, where the purchases come at a rate in proportion to the count, the highest of which is
 * the rate of the others. A process is quick when its code was compiled, after some hundred purchases of its own: each
 * count has as many for each process before. Where the purchases took long (`medianMs`), the machine was busy with
 * something else: measure again.
 */
import type { RunningProgram } from '../support/program.js';
import { type BenchResult, median, progress } from './benchmark.js';
import { Purchases } from './purchases.js';
import { startReceiver } from './receiver.js';
import { readSpentMs } from './spent.js';
import { Stage } from './stage.js';

export const description =
  'processor time of workers and projectors per purchase, with 1, 2 and 4 of each (a ratio of at most 1.2)';

const PARTITIONS = 16;
const COUNTS = [1, 2, 4];
/** For each worker, before anything is measured. */
const WARM_UP = 300;
const PURCHASES = 300;
const PER_SECOND = 15;
/** Until those that started have their share of the partitions. */
const SHARING_MS = 6_000;

interface Measured {
  readonly msAPurchase: number;
  readonly medianMs: number;
  /** The same, where each process has the share of work that it has with the highest count. */
  readonly sameShareMsAPurchase: number;
  readonly closedLoop: { readonly msAPurchase: number; readonly perSecond: number };
}

export function run(): Promise<BenchResult> {
  return Stage.with(
    async (stage) => {
      const receiver = await startReceiver();
      stage.atEnd(() => receiver.close());
      const purchases = await Purchases.open(stage.client, stage.masterKey, `${receiver.url}/`);
      stage.atEnd(() => purchases.close());
      const measured: Measured[] = [];
      for (const count of COUNTS) measured.push(await measure(count, stage, purchases));
      return toResult(measured);
    },
    { partitions: PARTITIONS },
  );
}

async function measure(count: number, stage: Stage, purchases: Purchases): Promise<Measured> {
  const programs: RunningProgram[] = [];
  for (let n = 0; n < count; n += 1) {
    programs.push(await stage.start('projector'), await stage.start('worker'));
  }
  await new Promise((resolve) => setTimeout(resolve, SHARING_MS));
  await purchases.buy(WARM_UP * count);
  let perSecond = 0;
  const closedLoop = await spend(programs, PURCHASES, async () => {
    perSecond = await purchases.buy(PURCHASES);
  });
  let medianMs = 0;
  const msAPurchase = await spend(programs, PURCHASES, async () => {
    medianMs = median(await purchases.buyAtRate(PURCHASES, PER_SECOND));
  });
  const share = count / Math.max(...COUNTS);
  const atSameShare = Math.round(PURCHASES * share);
  const sameShareMsAPurchase = await spend(programs, atSameShare, async () => {
    await purchases.buyAtRate(atSameShare, PER_SECOND * share);
  });
  progress(`${count} of each: ${msAPurchase.toFixed(1)} ms a purchase`);
  for (const program of programs) await program.stop();
  const loop = { msAPurchase: closedLoop, perSecond };
  return { msAPurchase, medianMs, sameShareMsAPurchase, closedLoop: loop };
}

/** The processor time of programs for each purchase, in milliseconds, while these are bought. */
async function spend(
  programs: readonly RunningProgram[],
  purchases: number,
  buy: () => Promise<void>,
): Promise<number> {
  const beforeMs = spentMs(programs);
  await buy();
  return (spentMs(programs) - beforeMs) / purchases;
}

/** The processor time of programs so far, in user and system mode. */
function spentMs(programs: readonly RunningProgram[]): number {
  return programs.reduce((sum, { pid }) => sum + readSpentMs(pid), 0);
}

function toResult(measured: readonly Measured[]): BenchResult {
  const round = (value: number) => Number(value.toFixed(1));
  const [one] = measured;
  const four = measured.at(-1);
  return {
    value: four?.msAPurchase ?? 0,
    limit: one?.msAPurchase ?? 0,
    unit: 'ms a purchase',
    extra: {
      msAPurchase: measured.map(({ msAPurchase }) => round(msAPurchase)),
      sameShare: measured.map(({ sameShareMsAPurchase }) => round(sameShareMsAPurchase)),
      medianMs: measured.map(({ medianMs }) => round(medianMs)),
      closedLoop: measured.map(({ closedLoop: { msAPurchase, perSecond } }) => ({
        msAPurchase: round(msAPurchase),
        perSecond: round(perSecond),
      })),
    },
  };
}
