import type { Generations } from '#domain/projection';
import { groupBy, type Log, wallClock } from '#platform';
import type { Redis } from '#redis';
import { projectorMetrics } from '../metrics.js';
import {
  findBuilding,
  findNextStep,
  type PlacementInput,
  type Step,
} from '../partition/next-places.js';
import type { PartitionDocuments } from '../partition/partition-documents.js';
import type { ReadModelPartition } from '../partition/read-model-partition.js';
import type { RoundKind } from '../round/round.js';
import { findOtherVersion, nameProjection, readGenerations } from '../stored/generations.js';
import { type LedgerIdentity, openReadModel } from '../stored/keys.js';
import type { ReadModelActs } from './acts.js';

interface PlacementParts {
  readonly redis: Redis;
  readonly identity: LedgerIdentity;
  readonly acts: ReadModelActs;
  readonly log: Log;
}

/** The outcome of a check of a read model's generation that answers. */
export type CheckOutcome = 'passed' | 'differs';

/** Brings the generations of the held partitions to the places that the acts ask for, between the rounds of turns. */
export class Placement {
  /** The names of generations in partitions that had all of history while this process held them. */
  readonly #caughtUp = new Set<string>();
  readonly #checked = new Map<string, CheckOutcome>();

  constructor(private readonly parts: PlacementParts) {}

  /** A generation has all of history in its partition. */
  noteCaughtUp(generation: PartitionDocuments): void {
    this.#caughtUp.add(nameGeneration(generation));
  }

  isCaughtUp(generation: PartitionDocuments): boolean {
    return this.#caughtUp.has(nameGeneration(generation));
  }

  /** A generation that answers was verified: its first partition says so from the next turn on. */
  noteChecked(readModel: string, outcome: CheckOutcome): void {
    this.#checked.set(readModel, outcome);
  }

  /** How each generation is fed; a paused one is not. @throws Fault. */
  async findKinds(
    held: readonly ReadModelPartition[],
  ): Promise<ReadonlyMap<PartitionDocuments, RoundKind>> {
    const kinds = new Map<PartitionDocuments, RoundKind>();
    for (const partition of held) {
      for (const generation of partition.generations) {
        const kind = await this.#findKind(partition, generation);
        if (kind !== undefined) kinds.set(generation, kind);
      }
    }
    return kinds;
  }

  /** The way in which a generation is fed; undefined while it is not. @throws Fault. */
  async #findKind(
    partition: ReadModelPartition,
    generation: PartitionDocuments,
  ): Promise<RoundKind | undefined> {
    if (partition.at('building') !== generation) return FOLLOWING;
    const acts = await this.#findActs(partition.name);
    const building = findBuilding(acts, generation.checkpoint.generation ?? 1);
    if (building?.isPaused === true) {
      // It falls behind.
      this.#caughtUp.delete(nameGeneration(generation));
      return undefined;
    }
    if (this.isCaughtUp(generation)) return FOLLOWING;
    return { isCatchingUp: true, maxPerSecond: building?.maxPerSecond ?? null };
  }

  /** Takes all steps that can be taken now. @throws Fenced; Fault. */
  async settle(held: readonly ReadModelPartition[]): Promise<void> {
    this.#forgetOthers(held);
    const byReadModel = groupBy(held, ({ name }) => name);
    await Promise.all(byReadModel.map((partitions) => this.#settle(partitions)));
  }

  /** Whether a step could be taken, or a generation be paused or fed: the turn is over then. @throws Fault. */
  async isDue(
    held: readonly ReadModelPartition[],
    kinds: ReadonlyMap<PartitionDocuments, RoundKind>,
  ): Promise<boolean> {
    for (const partitions of groupBy(held, ({ name }) => name)) {
      const name = partitions[0]?.name ?? '';
      if (this.#checked.has(name) && partitions.some(({ number }) => number === 0)) return true;
      const found = await this.#look(partitions);
      for (const partition of partitions) {
        if (findNextStep(this.#describe(partition, found)) !== undefined) return true;
      }
      const now = await this.findKinds(partitions);
      const generations = partitions.flatMap((partition) => partition.generations);
      if (generations.some((each) => !isSameKind(now.get(each), kinds.get(each)))) return true;
    }
    return false;
  }

  /** A generation that others have held meanwhile may have fallen behind. */
  #forgetOthers(held: readonly ReadModelPartition[]): void {
    const names = new Set(held.flatMap(({ generations }) => generations.map(nameGeneration)));
    for (const name of this.#caughtUp) if (!names.has(name)) this.#caughtUp.delete(name);
  }

  async #settle(partitions: readonly ReadModelPartition[]): Promise<void> {
    const { identity, log } = this.parts;
    const found = await this.#look(partitions);
    const taken: Step[] = [];
    await Promise.all(
      partitions.map(async (partition) => {
        const outcome = this.#checked.get(partition.name);
        if (partition.number === 0 && outcome !== undefined) {
          await partition.noteCheck(outcome);
          this.#checked.delete(partition.name);
        }
        // Each step leads on; a plan that led in a circle would be a defect, and must not stop the others.
        for (let at = 0; at < STEPS_AT_ONCE; at += 1) {
          const step = findNextStep(this.#describe(partition, found));
          if (step === undefined) return;
          taken.push(step);
          if (step.kind === 'begin') projectorMetrics.rebuilds.inc();
          await partition.take(step, identity.layoutId);
        }
      }),
    );
    for (const same of groupBy(taken, (step) => JSON.stringify(step))) {
      const details = { readModel: partitions[0]?.name, partitions: same.length, ...same[0] };
      log.info(details, 'generations of a read model change their places');
    }
  }

  /** The acts, and whether another version answers. Where a first generation has to be asked for, it is. */
  async #look(
    partitions: readonly ReadModelPartition[],
  ): Promise<Pick<PlacementInput, 'acts' | 'otherAnswers'>> {
    const { redis, identity, acts: all } = this.parts;
    const name = partitions[0]?.name ?? '';
    const acts = await this.#findActs(name);
    const isAnswering = partitions.every((each) => each.at('checkpoint') !== undefined);
    if (isAnswering || acts === undefined) return { acts, otherAnswers: false };
    if (await this.#isThere(name, acts.answering)) return { acts, otherAnswers: false };
    const otherAnswers = (await findOtherVersion(redis, identity, name)) !== undefined;
    const isAskedFor = acts.answering === null && acts.building !== null;
    const isDropped = acts.answering === null && acts.building === null;
    // An operator has dropped it while another version answers: the next act is an operator's, too.
    if (isAskedFor || (otherAnswers ? isDropped : !isDropped)) return { acts, otherAnswers };
    const known = (await all.hasAny(nameProjection(name), name)) ? acts.last : null;
    const reason = 'a release with another version of the read model was started';
    const begin = { kind: 'BeginFirstGeneration', readModel: name, known, reason } as const;
    await all.decide(nameProjection(name), begin);
    return { acts: await this.#findActs(name), otherAnswers };
  }

  /** Whether a generation of the read model answers in some partition, or the one that is to answer is built there. */
  async #isThere(readModel: string, answering: number | null): Promise<boolean> {
    const { redis, identity } = this.parts;
    const found = await readGenerations(redis, openReadModel(readModel, identity));
    return found.some(
      ({ places: { checkpoint, building } }) =>
        checkpoint !== undefined || (building !== undefined && building.generation === answering),
    );
  }

  #findActs(readModel: string): Promise<Generations | undefined> {
    return this.parts.acts.find(nameProjection(readModel), readModel);
  }

  #describe(
    partition: ReadModelPartition,
    found: Pick<PlacementInput, 'acts' | 'otherAnswers'>,
  ): PlacementInput {
    const place = (generation: PartitionDocuments | undefined, isFed: boolean) =>
      generation && {
        generation: generation.checkpoint.generation ?? 1,
        isCaughtUp: isFed || this.isCaughtUp(generation),
        position: generation.position,
      };
    const placed = {
      answering: place(partition.at('checkpoint'), true),
      building: place(partition.at('building'), false),
      former: place(partition.at('former'), true),
    };
    return { ...found, placed, now: wallClock.now() };
  }
}

/** More than any way through the places takes. */
const STEPS_AT_ONCE = 10;

const FOLLOWING: RoundKind = { isCatchingUp: false, maxPerSecond: null };

function nameGeneration({ keys, checkpoint }: PartitionDocuments): string {
  return keys.generation(checkpoint.epoch).prefix;
}

function isSameKind(one: RoundKind | undefined, other: RoundKind | undefined): boolean {
  return one?.isCatchingUp === other?.isCatchingUp && one?.maxPerSecond === other?.maxPerSecond;
}
