import { type Log, warnSeldom } from '#platform';
import type { Redis } from '#redis';
import type { ReadModelPartition } from '../partition/read-model-partition.js';
import { nameProjection } from '../stored/generations.js';
import type { LedgerIdentity } from '../stored/keys.js';
import type { ReadModelActs } from './acts.js';
import { findObstacle, type Obstacle } from '../stored/obstacles.js';

interface ObstacleWatchParts {
  readonly redis: Redis;
  readonly identity: LedgerIdentity;
  readonly acts: ReadModelActs;
  readonly log: Log;
  readonly onObstacles?: ((obstacles: readonly Obstacle[]) => void) | undefined;
}

/** Findings of the gate in one line of the log: `subledger projections show` has all. */
const SHOWN_FINDINGS = 3;

/** Tells of the read models that do not answer until an operator acts, once for each change. */
export class ObstacleWatch {
  #told = '';

  constructor(private readonly parts: ObstacleWatchParts) {}

  /** Looks at the read models of the held partitions. Never throws. */
  async look(held: readonly ReadModelPartition[]): Promise<void> {
    const silent = held.filter((partition) => partition.at('checkpoint') === undefined);
    const names = [...new Set(silent.map(({ name }) => name))];
    try {
      const found = await Promise.all(names.map((name) => this.#find(name)));
      this.#tell(found.filter((each) => each !== undefined));
    } catch (error) {
      warnSeldom(this.parts.log, error, 'it is not known why read models do not answer');
    }
  }

  async #find(readModel: string): Promise<Obstacle | undefined> {
    const acts = await this.parts.acts.find(nameProjection(readModel), readModel);
    return findObstacle(this.parts, readModel, acts);
  }

  #tell(obstacles: readonly Obstacle[]): void {
    const { log, onObstacles } = this.parts;
    const told = obstacles.map(({ sentence }) => sentence).join('\n');
    if (told === this.#told) return;
    this.#told = told;
    for (const { sentence, findings } of obstacles) {
      log.error({ findings: findings.slice(0, SHOWN_FINDINGS) }, sentence);
    }
    onObstacles?.(obstacles);
  }
}
