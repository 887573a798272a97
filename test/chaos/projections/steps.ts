import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../edge/random.js';
import type { ProjectionsStage, ProjectorName } from './stage.js';

/** How many steps a run has taken, by their names; refused acts count apart. */
export type Counts = Map<string, number>;

interface Step {
  readonly name: string;
  /** How often it is drawn, beside the others. */
  readonly weight: number;
  /** @returns `accepted`, or the code of a refusal. */
  act(stage: ProjectionsStage, random: Random): Promise<string>;
}

const LONGEST_PAUSE_MS = 1_500;
const RATES = [200, 1_000, 5_000];

const STEPS: readonly Step[] = [
  {
    name: 'rebuild',
    weight: 6,
    act: ({ ledger }, random) =>
      ledger.act({
        kind: 'RequestRebuild',
        hold: random.chance(0.4),
        ...(random.chance(0.3) && { maxPerSecond: random.pick(RATES) }),
      }),
  },
  {
    name: 'swap',
    weight: 3,
    act: ({ ledger }, random) => ledger.act({ kind: 'SwapGeneration', anyway: random.chance(0.5) }),
  },
  { name: 'rollback', weight: 4, act: ({ ledger }) => ledger.act({ kind: 'RollBackGeneration' }) },
  { name: 'drop', weight: 2, act: drop },
  { name: 'pause', weight: 1, act: ({ ledger }) => ledger.act({ kind: 'PauseRebuild' }) },
  { name: 'resume', weight: 1, act: ({ ledger }) => ledger.act({ kind: 'ResumeRebuild' }) },
  {
    name: 'kill',
    weight: 2,
    act: async (stage, random) => {
      await stage.kill(pickProjector(random));
      return ACCEPTED;
    },
  },
  {
    name: 'hold still',
    weight: 2,
    act: async (stage, random) => {
      stage.hold(pickProjector(random));
      return ACCEPTED;
    },
  },
  {
    name: 'empty Redis',
    weight: 2,
    act: async (stage) => {
      await stage.empty();
      return ACCEPTED;
    },
  },
  {
    name: 'empty Redis under a kill',
    weight: 1,
    act: async (stage, random) => {
      await Promise.all([stage.empty(), stage.kill(pickProjector(random))]);
      return ACCEPTED;
    },
  },
];

const ACCEPTED = 'accepted';

/** Takes a step by chance, and waits for a while. */
export async function takeStep(
  stage: ProjectionsStage,
  random: Random,
  counts: Counts,
): Promise<string> {
  const step = random.pick(
    STEPS.flatMap((each) => Array.from({ length: each.weight }, () => each)),
  );
  const outcome = await step.act(stage, random);
  const name = outcome === ACCEPTED ? step.name : `${step.name}: ${outcome}`;
  counts.set(name, (counts.get(name) ?? 0) + 1);
  await sleep(random.below(LONGEST_PAUSE_MS));
  return name;
}

/** The generation that is built or kept. */
async function drop({ ledger }: ProjectionsStage, random: Random): Promise<string> {
  const { building, former } = await ledger.acts();
  const there = [building, former].flatMap((each) => each?.generation ?? []);
  const generation = there.length === 0 ? 0 : random.pick(there);
  return ledger.act({ kind: 'DropGeneration', generation });
}

function pickProjector(random: Random): ProjectorName {
  return random.pick(['one', 'other']);
}
