import type { Generations } from '#domain/projection';
import type { Redis } from '#redis';
import { findOtherVersion, nameProjection } from './generations.js';
import type { LedgerIdentity } from './keys.js';

/** Why nothing of a read model answers, although nothing but an operator's act is missing. */
export interface Obstacle {
  /** Names the generation and the commands that help. It may be shown to everybody: it has no finding. */
  readonly sentence: string;
  /** The gate's findings, which may have data of players; none where the gate has not held it. */
  readonly findings: readonly string[];
}

/**
 * Finds the obstacle of a read model that does not answer; undefined while it is built, and where no other version
 * answers, since nothing is held then (rules/read-models 2).
 *
 * @param acts undefined where this release cannot read them. @throws Fault of Redis.
 */
export async function findObstacle(
  { redis, identity }: { readonly redis: Redis; readonly identity: LedgerIdentity },
  readModel: string,
  acts: Generations | undefined,
): Promise<Obstacle | undefined> {
  if (acts === undefined || describeObstacle(readModel, acts) === undefined) return undefined;
  const other = await findOtherVersion(redis, identity, readModel);
  return other && describeObstacle(readModel, acts, other.name);
}

/** The obstacle that the acts tell of, where another version of the projection answers. */
export function describeObstacle(
  readModel: string,
  { answering, building }: Generations,
  other = 'another version',
): Obstacle | undefined {
  if (answering !== null) return undefined;
  const name = nameProjection(readModel);
  const type = (act: string) => `subledger projections ${act} ${name} --reason "..."`;
  const sentence = (why: string, command: string) =>
    `${why}, and ${other} answers in its place: type ${command}, or start the former release again.`;
  if (building === null) {
    const why = `Nothing of ${readModel} is built since it was dropped`;
    return { sentence: sentence(why, type('rebuild')), findings: [] };
  }
  const { generation, isPaused, gate } = building;
  const which = `generation ${generation} of ${readModel}`;
  if (isPaused) {
    return { sentence: sentence(`The build of ${which} is paused`, type('resume')), findings: [] };
  }
  switch (gate?.kind) {
    case 'held': {
      const swap = `subledger projections swap ${name} --anyway --reason "..."`;
      return { sentence: sentence(`The gate holds ${which}`, swap), findings: gate.findings };
    }
    case 'verified':
      return { sentence: sentence(`An operator holds ${which}`, type('swap')), findings: [] };
    case undefined:
      return undefined;
  }
}
