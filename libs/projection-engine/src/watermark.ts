import type { Redis } from 'ioredis';
import type { Position } from '#domain/event';
import { Fault } from '#platform';
import { redisReply } from '#redis';
import { decodeCheckpoint, NOTHING } from './checkpoint.js';
import type { Namespace } from './keys.js';
import { RETRY_AFTER_MS, WATERMARK_POLL_MS } from './limits.js';

/** How far the read models are, and waiting for them (rules/api 15). */
export interface Watermark {
  read(): Promise<Position>;
  waitFor(position: Position, options: { readonly timeoutMs: number }): Promise<void>;
  /** Ends all waits: each of them throws Fault `unavailable`. */
  close(): void;
}

interface Waiter {
  readonly position: Position;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export function createWatermark(redis: Redis, namespace: Namespace): Watermark {
  const waiters = new Set<Waiter>();
  let isPolling = false;
  const read = () => readWatermark(redis, namespace);
  const poll = async () => {
    try {
      const watermark = await read();
      for (const waiter of waiters) if (waiter.position <= watermark) waiter.resolve();
    } catch (error) {
      for (const waiter of waiters) waiter.reject(error);
    }
    if (waiters.size > 0) setTimeout(() => void poll(), WATERMARK_POLL_MS);
    else isPolling = false;
  };
  const waitFor = async (position: Position, timeoutMs: number) => {
    let waiter: Waiter | undefined;
    let timer: NodeJS.Timeout | undefined;
    const arrival = new Promise<void>((resolve, reject) => {
      waiter = { position, resolve, reject };
      waiters.add(waiter);
      timer = setTimeout(() => reject(tooLate(position, timeoutMs)), timeoutMs);
    });
    if (!isPolling) {
      isPolling = true;
      void poll();
    }
    try {
      await arrival;
    } finally {
      clearTimeout(timer);
      if (waiter !== undefined) waiters.delete(waiter);
    }
  };
  return {
    read,
    waitFor: async (position, { timeoutMs }) => {
      // Never from memory: a Redis that was killed may come back a second behind what it showed.
      if (position > (await read())) await waitFor(position, timeoutMs);
    },
    close: () => {
      for (const waiter of waiters) waiter.reject(unavailable('the read models are closed'));
    },
  };
}

/** The position up to which every partition has everything; NOTHING when one has no checkpoint. */
async function readWatermark(redis: Redis, namespace: Namespace): Promise<Position> {
  const stored = await Promise.all(
    namespace.partitions.map((partition) => redisReply(redis.get(partition.checkpoint))),
  );
  const positions = stored.map((text) => decodeCheckpoint(text)?.position ?? NOTHING);
  return positions.reduce((lowest, position) => (position < lowest ? position : lowest));
}

function tooLate(position: Position, timeoutMs: number): Fault {
  return unavailable(`the read models did not reach ${position} within ${timeoutMs} ms`);
}

function unavailable(message: string): Fault {
  return new Fault('unavailable', message, { retryable: true, retryAfterMs: RETRY_AFTER_MS });
}
