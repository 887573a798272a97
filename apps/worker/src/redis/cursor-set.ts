import { Inject, Injectable } from '@nestjs/common';
import type { Position } from '#domain/event';
import { loadScript, type Redis, redisReply } from '#redis';
import type { Backup, WorkerKeys } from '#worker-state';
import { KEYS, REDIS } from '../tokens.js';
import { PartitionScripts } from './partition-scripts.js';

const moveCursors = loadScript(new URL('./lua/move-cursors-3.lua', import.meta.url));

/** The new positions of cursors; null where the endpoint is backlogged no more. */
export type CursorMoves = ReadonlyMap<string, Position | null>;

/**
 * After which position the store is read again for each backlogged endpoint (rules/webhooks 8). This
 * process alone moves them, so that memory knows them all. Calls throw Fault of Redis, and Fenced.
 */
@Injectable()
export class CursorSet {
  #all = new Map<string, Position>();
  #loads = 0;

  constructor(
    @Inject(REDIS) private readonly redis: Redis,
    @Inject(KEYS) private readonly keys: WorkerKeys,
    private readonly scripts: PartitionScripts,
  ) {}

  /** By the ids of the endpoints, as they were loaded or moved last. */
  get all(): ReadonlyMap<string, Position> {
    return this.#all;
  }

  /** How often they were loaded: those of before may have been further on than they are since a loss of Redis. */
  get loads(): number {
    return this.#loads;
  }

  async load(): Promise<void> {
    this.#loads += 1;
    this.#all = await this.read();
  }

  /** As Redis has them now. */
  async read(): Promise<Map<string, Position>> {
    return new Map(Object.entries(await redisReply(this.redis.hgetall(this.keys.cursors))));
  }

  async move(moves: CursorMoves): Promise<void> {
    if (moves.size === 0) return;
    const args = [...moves].flatMap(([endpointId, after]) => [endpointId, after ?? '']);
    await this.scripts.runForFeed(moveCursors, [this.keys.cursors], args);
    for (const [endpointId, after] of moves) {
      if (after === null) this.#all.delete(endpointId);
      else this.#all.set(endpointId, after);
    }
  }

  /** Those that a backup names, and no others. */
  async restore(cursors: Backup['cursors']): Promise<void> {
    await this.load();
    const moves = new Map<string, Position | null>();
    for (const endpointId of this.#all.keys()) moves.set(endpointId, null);
    for (const { endpointId, after } of cursors) moves.set(endpointId, after);
    await this.move(moves);
  }
}
