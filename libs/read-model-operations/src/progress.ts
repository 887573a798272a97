import type { Position } from '#domain/event';
import {
  openReadModel,
  readGenerations,
  type ReadModel,
  type StoredGenerations,
} from '#projection-engine';
import { redisReply } from '#redis';
import type { ReadModelLedger } from './ledger.js';

/** The generation that takes in history, in one partition. */
export interface PartitionProgress {
  readonly partition: number;
  readonly generation: number;
  /** Events that it has applied. */
  readonly done: number;
  /** Events that the generation which answers there has applied; null where none does, or another version. */
  readonly target: number | null;
  /** From 0 to 1: how much of the store it has gone through. */
  readonly share: number;
  /** Streams that it could not go on with. */
  readonly parkedStreams: number;
}

/** A look at a build. */
export interface BuildLook {
  readonly atMs: number;
  /** None where nothing is built. */
  readonly partitions: readonly PartitionProgress[];
  readonly done: number;
  /** Null where that of some partition is not known. */
  readonly target: number | null;
  /** From 0 to 1, over all partitions of the ledger. */
  readonly share: number;
}

/** The pace of a build. */
export interface BuildPace {
  readonly eventsPerSecond: number;
  /** Null while it stands still. */
  readonly secondsLeft: number | null;
}

/** Looks how far the build of a read model is. @throws Fault of the store or of Redis. */
export async function lookAtBuild(ledger: ReadModelLedger, name: string): Promise<BuildLook> {
  const head = await ledger.store.headPosition();
  const readModel = openReadModel(name, ledger.identity);
  const stored = await readGenerations(ledger.redis, readModel);
  const found = await Promise.all(stored.map((each) => lookAtPartition(ledger, each, head)));
  const partitions = found.flatMap((each) => each ?? []);
  return { atMs: performance.now(), partitions, ...sum(partitions, readModel) };
}

/** The pace between two looks at the same build; undefined where it is another one, or no time passed. */
export function measurePace(before: BuildLook, after: BuildLook): BuildPace | undefined {
  const [one, other] = [before.partitions[0]?.generation, after.partitions[0]?.generation];
  const seconds = (after.atMs - before.atMs) / 1_000;
  if (other === undefined || one !== other || seconds <= 0) return undefined;
  const sharePerSecond = (after.share - before.share) / seconds;
  const eventsPerSecond = Math.max(0, (after.done - before.done) / seconds);
  const left = 1 - after.share;
  const secondsLeft = sharePerSecond > 0 ? left / sharePerSecond : null;
  return { eventsPerSecond, secondsLeft: left === 0 ? 0 : secondsLeft };
}

async function lookAtPartition(
  { redis }: ReadModelLedger,
  { keys, places: { building, checkpoint } }: StoredGenerations,
  head: Position,
): Promise<PartitionProgress | undefined> {
  if (building === undefined) return undefined;
  const { parked } = keys.generation(building.epoch);
  return {
    partition: keys.number,
    generation: building.generation ?? 1,
    done: building.applied ?? 0,
    target: checkpoint?.applied ?? null,
    share: findShare(building.position, head),
    parkedStreams: await redisReply(redis.hlen(parked)),
  };
}

/** Positions are counted from the beginning of the log, in events or in bytes. */
function findShare(position: Position, head: Position): number {
  const end = Number(head);
  return end === 0 || position >= head ? 1 : Number(position) / end;
}

/** Partitions in which it does not stand in the place of builds have it where it answers. */
function sum(looks: readonly PartitionProgress[], { partitions }: ReadModel) {
  const isKnown = looks.every(({ target }) => target !== null);
  const shares = looks.reduce((total, { share }) => total + share, 0);
  return {
    done: looks.reduce((total, { done }) => total + done, 0),
    target: isKnown ? looks.reduce((total, { target }) => total + (target ?? 0), 0) : null,
    share: (shares + partitions.length - looks.length) / partitions.length,
  };
}
