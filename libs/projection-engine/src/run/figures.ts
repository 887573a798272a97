import { groupBy, type Log } from '#platform';
import type { Redis } from '#redis';
import { UNAPPLIED_LIMIT_MS } from '../limits.js';
import { noteHead, projectorMetrics } from '../metrics.js';
import type { ReadModelPartition } from '../partition/read-model-partition.js';
import type { Ages } from '../stored/ages.js';
import { findLowest } from '../stored/checkpoint.js';
import { findOtherVersion, nameProjection, readGenerations } from '../stored/generations.js';
import type { LedgerIdentity } from '../stored/keys.js';
import type { ReadModelActs } from './acts.js';

interface FiguresParts {
  readonly redis: Redis;
  readonly identity: LedgerIdentity;
  readonly acts: ReadModelActs;
  readonly log: Log;
}

const STATES = ['building', 'verified', 'held', 'answering', 'former'] as const;
type State = (typeof STATES)[number];

/** The figures of a read model in the held partitions. */
interface Measured {
  readonly read_model: string;
  /** Of the oldest event that the generation which answers does not have; undefined where none answers. */
  readonly unappliedSeconds?: number | undefined;
  /** Events of a generation that is built; the target is undefined where nothing answers. */
  readonly built?: { readonly done: number; readonly target?: number | undefined } | undefined;
  /** Of the generations, as the first partition shows them; undefined where another process holds it. */
  readonly states?: readonly State[] | undefined;
}

/** Measures the generations of the held partitions, for the metrics (rules/read-models 7). */
export class Figures {
  constructor(private readonly parts: FiguresParts) {}

  /** @throws Fault of store or Redis. */
  async measure(held: readonly ReadModelPartition[], ages: Ages): Promise<void> {
    noteHead(Date.parse(ages.headWrittenAt ?? ''));
    const byReadModel = groupBy(held, ({ name }) => name);
    show(await Promise.all(byReadModel.map((partitions) => this.#look(partitions, ages))));
  }

  async #look(partitions: readonly ReadModelPartition[], ages: Ages): Promise<Measured> {
    const [unappliedSeconds, built, states] = await Promise.all([
      findAge(partitions, ages),
      this.#countEvents(partitions),
      this.#listStates(partitions),
    ]);
    const read_model = partitions[0]?.name ?? '';
    if ((unappliedSeconds ?? 0) * 1_000 > UNAPPLIED_LIMIT_MS) {
      const details = { readModel: read_model, unappliedSeconds, head: ages.head };
      this.parts.log.warn(details, 'a read model is behind');
    }
    return { read_model, unappliedSeconds, built, states };
  }

  async #countEvents(partitions: readonly ReadModelPartition[]): Promise<Measured['built']> {
    const built = partitions.filter((each) => each.at('building') !== undefined);
    if (built.length === 0) return undefined;
    const done = sum(built.map((each) => each.at('building')?.checkpoint.applied));
    const isAlone = built.some((each) => each.at('checkpoint') === undefined);
    const others = isAlone ? await this.#findOthers(built[0]?.name ?? '') : undefined;
    if (isAlone && others === undefined) return { done };
    const target = built.map((each) => {
      const own = each.at('checkpoint')?.checkpoint;
      return (own ?? others?.get(each.number))?.applied;
    });
    return { done, target: sum(target) };
  }

  /** The checkpoints of another version that answers, by partition. */
  async #findOthers(readModel: string) {
    const { redis, identity } = this.parts;
    const other = await findOtherVersion(redis, identity, readModel);
    if (other === undefined) return undefined;
    const stored = await readGenerations(redis, other);
    return new Map(stored.map(({ keys, places }) => [keys.number, places.checkpoint]));
  }

  /** By the first partition for all of them: the sum over all projectors counts each generation once. */
  async #listStates(partitions: readonly ReadModelPartition[]): Promise<Measured['states']> {
    const first = partitions.find(({ number }) => number === 0);
    if (first === undefined) return undefined;
    const acts = await this.parts.acts.find(nameProjection(first.name), first.name);
    const built = first.at('building')?.checkpoint.generation;
    const building = acts?.building ?? undefined;
    const judged = building?.generation === built ? building?.gate?.kind : undefined;
    const states: (State | undefined)[] = [
      first.at('checkpoint') && 'answering',
      first.at('building') && (judged ?? 'building'),
      first.at('former') && 'former',
    ];
    return states.filter((state) => state !== undefined);
  }
}

/** Shows no figures: nothing is held. */
export function clearFigures(): void {
  noteHead(NaN);
  show([]);
}

/** Shows these figures in the place of those before. */
function show(measured: readonly Measured[]): void {
  const { generations, rebuildEvents, oldestUnapplied } = projectorMetrics;
  for (const metric of [generations, rebuildEvents, oldestUnapplied]) metric.reset();
  for (const { read_model, unappliedSeconds, built, states } of measured) {
    if (unappliedSeconds !== undefined) oldestUnapplied.set({ read_model }, unappliedSeconds);
    for (const count of ['done', 'target'] as const) {
      const events = built?.[count];
      if (events !== undefined) rebuildEvents.set({ read_model, count }, events);
    }
    for (const state of states === undefined ? [] : STATES) {
      const found = states?.filter((each) => each === state).length ?? 0;
      generations.set({ read_model, state }, found);
    }
  }
}

/** Of the oldest event that the generation which answers does not have in one of the partitions. */
async function findAge(
  partitions: readonly ReadModelPartition[],
  ages: Ages,
): Promise<number | undefined> {
  const positions = partitions.flatMap((each) => each.at('checkpoint')?.position ?? []);
  return positions.length === 0 ? undefined : ages.ofOldestUnapplied(findLowest(positions));
}

function sum(counts: readonly (number | undefined)[]): number {
  return counts.reduce<number>((total, count = 0) => total + count, 0);
}
