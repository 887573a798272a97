import type { Position } from '#domain/event';
import { Fault } from '#platform';
import { type Redis, redisReply } from '#redis';
import { decodeCheckpoint, findLowest, NOTHING } from '../stored/checkpoint.js';
import type { ReadModel } from '../stored/keys.js';
import { announceWaits, type Waits } from '../stored/awaited-positions.js';
import { ANNOUNCE_AGAIN_MS, RETRY_AFTER_MS, WATERMARK_POLL_MS } from '../limits.js';

export interface WaitOptions {
  readonly timeoutMs: number;
  /** The partitions that are read, by their numbers; all of them, where none are named. */
  readonly partitions?: readonly number[] | undefined;
}

interface Waiter {
  readonly position: Position;
  readonly partitions: readonly number[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export function createWatermark(redis: Redis, readModels: readonly ReadModel[]): Watermark {
  const numbers = readModels[0]?.partitions.map(({ number }) => number) ?? [];
  const layoutId = readModels[0]?.layoutId ?? '';
  return new Watermark(
    numbers,
    (number) => readPosition(redis, readModels, number),
    (waits) => announceWaits(redis, layoutId, waits),
  );
}

/**
 * How far the read models are, and waiting for them (rules/api 15). Waits look at the checkpoints together: one that many
 * wait for is read once.
 */
export class Watermark {
  readonly #waiters = new Set<Waiter>();
  #isPolling = false;
  /** When it is time to announce the waits. */
  #announceAtMs = 0;

  constructor(
    private readonly all: readonly number[],
    private readonly readPosition: (partition: number) => Promise<Position>,
    private readonly announce: (waits: Waits) => Promise<void>,
  ) {}

  /** @param partition that one's; the lowest of all, where none is named. */
  async read(partition?: number): Promise<Position> {
    return this.#readLowest(partition === undefined ? this.all : [partition]);
  }

  async waitFor(
    position: Position,
    { timeoutMs, partitions = this.all }: WaitOptions,
  ): Promise<void> {
    // Never from memory: a Redis that was killed may come back a second behind its last answer.
    if (position <= (await this.#readLowest(partitions))) return;
    let waiter: Waiter | undefined;
    let timer: NodeJS.Timeout | undefined;
    const arrival = new Promise<void>((resolve, reject) => {
      waiter = { position, partitions, resolve, reject };
      this.#waiters.add(waiter);
      this.#announceAtMs = 0;
      timer = setTimeout(() => reject(tooLate(position, timeoutMs)), timeoutMs);
    });
    if (!this.#isPolling) {
      this.#isPolling = true;
      void this.#poll();
    }
    try {
      await arrival;
    } finally {
      clearTimeout(timer);
      if (waiter !== undefined) this.#waiters.delete(waiter);
    }
  }

  /** Ends all waits: each of them throws Fault `unavailable`. */
  close(): void {
    for (const waiter of this.#waiters) waiter.reject(unavailable('the read models are closed'));
  }

  async #poll(): Promise<void> {
    try {
      this.#announceInTime();
      const awaited = new Set([...this.#waiters].flatMap(({ partitions }) => partitions));
      const reading = [...awaited].map(async (number) => {
        return [number, await this.readPosition(number)] as const;
      });
      const positions = new Map(await Promise.all(reading));
      for (const { position, partitions, resolve } of this.#waiters) {
        // One that has come meanwhile may wait for a partition that was not read.
        const isThere = (number: number) => position <= (positions.get(number) ?? NOTHING);
        if (partitions.every(isThere)) resolve();
      }
    } catch (error) {
      for (const waiter of this.#waiters) waiter.reject(error);
    }
    if (this.#waiters.size > 0) setTimeout(() => void this.#poll(), WATERMARK_POLL_MS);
    else this.#isPolling = false;
  }

  #announceInTime(): void {
    if (performance.now() < this.#announceAtMs) return;
    this.#announceAtMs = performance.now() + ANNOUNCE_AGAIN_MS;
    const waits = new Map<number, Position>();
    for (const { position, partitions } of this.#waiters) {
      for (const number of partitions) {
        if (position > (waits.get(number) ?? NOTHING)) waits.set(number, position);
      }
    }
    // The look at the checkpoints, which leaves with it, meets the same error and says so.
    this.announce(waits).catch(() => undefined);
  }

  /** The position up to which each of them has everything; NOTHING when one has no checkpoint. */
  async #readLowest(partitions: readonly number[]): Promise<Position> {
    const positions = await Promise.all(partitions.map((number) => this.readPosition(number)));
    return findLowest(positions);
  }
}

/** The lowest position of all read models of a partition: they lie on one slot. */
async function readPosition(
  redis: Redis,
  readModels: readonly ReadModel[],
  number: number,
): Promise<Position> {
  const keys = readModels.flatMap(({ partitions }) => partitions[number]?.checkpoint ?? []);
  if (keys.length === 0) return NOTHING;
  const stored = await redisReply(redis.mget(keys));
  const positions = stored.map((text) => decodeCheckpoint(text)?.position ?? NOTHING);
  return findLowest(positions);
}

function tooLate(position: Position, timeoutMs: number): Fault {
  return unavailable(`the read models did not reach ${position} within ${timeoutMs} ms`);
}

function unavailable(message: string): Fault {
  return new Fault('unavailable', message, { retryable: true, retryAfterMs: RETRY_AFTER_MS });
}
