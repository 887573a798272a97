/**
 * Acts of operators on a read model by chance, under load, while projectors are killed and held still (SIGKILL, SIGSTOP)
 * and Redis is emptied. Readers judge each answer by their own fold: none is wrong, none is older than one that they
 * waited for, no document is missing, and nothing is unavailable but after a loss of Redis, until it is built again
 * without anybody's act. After each round every partition comes to stand as the acts say (rules/read-models).
 */
import type { ChaosOptions, ChaosResult } from './chaos.js';
import { Random } from './edge/random.js';
import { Findings } from './full-disk/findings.js';
import { untilInterrupted } from './full-disk/until-interrupted.js';
import { settle } from './projections/settle.js';
import { ProjectionsStage } from './projections/stage.js';
import { type Counts, takeStep } from './projections/steps.js';

export const description =
  'acts on a read model, SIGKILL and SIGSTOP of projectors, and losses of Redis, under load\n' +
  '                 (--rounds; --seed)';

const DEFAULT_ROUNDS = 20;
const STEPS_A_ROUND = 6;

export function run({
  rounds = DEFAULT_ROUNDS,
  seed = Math.floor(Math.random() * 1e9),
  progress,
}: ChaosOptions): Promise<ChaosResult> {
  return untilInterrupted(play(rounds, seed, progress));
}

async function play(
  rounds: number,
  seed: number,
  progress: ChaosOptions['progress'],
): Promise<ChaosResult> {
  const findings = new Findings();
  const counts: Counts = new Map();
  const stage = await ProjectionsStage.start();
  let longestSettledMs = 0;
  try {
    for (let round = 0; round < rounds; round += 1) {
      const random = new Random(seed, round);
      const steps: string[] = [];
      try {
        for (let at = 0; at < STEPS_A_ROUND; at += 1) {
          steps.push(await takeStep(stage, random, counts));
        }
        const beganAtMs = performance.now();
        await settle(stage);
        longestSettledMs = Math.max(longestSettledMs, performance.now() - beganAtMs);
      } catch (error) {
        findings.add('a round did not end', `${steps.join('; ')}\n  ${String(error)}`);
      }
      for (const finding of stage.load.findings.splice(0)) {
        findings.add(finding.replace(/sub_\w+|\d+/g, '...'), `${steps.join('; ')}\n  ${finding}`);
      }
      progress(round + 1, rounds, steps.join('; '));
    }
    await stage.load.stop();
  } finally {
    await stage.stop();
  }
  const figures = {
    ...{ seed, rounds, steps: Object.fromEntries(counts), load: stage.load.counts },
    longestLossMs: Math.round(stage.longestLossMs),
    longestSettledMs: Math.round(longestSettledMs),
  };
  const { read, pages, appended } = stage.load.counts;
  const summary =
    `${rounds} rounds of seed ${seed}: ${read} reads and ${pages} pages judged beside ${appended} ` +
    `changes; answers again ${figures.longestLossMs} ms after a loss at most, settled within ` +
    `${figures.longestSettledMs} ms; ${JSON.stringify(figures.steps)}`;
  return { summary, figures, findings: findings.lines };
}
