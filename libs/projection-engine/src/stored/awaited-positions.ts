import type { Position } from '#domain/event';
import { type Redis, redisReply } from '#redis';
import { NOTHING } from './checkpoint.js';
import { ANNOUNCE_AGAIN_MS } from '../limits.js';
import { connectForListening } from './connections.js';

/** For each partition by its number, the position that a reader waits for. */
export type Waits = ReadonlyMap<number, Position>;

/**
 * Announces awaited positions to all projectors of a ledger: a partition in which nothing happens is then moved at
 * once, instead of in its time. It may get lost, so that it is said again while the wait goes on.
 */
export async function announceWaits(redis: Redis, layoutId: string, waits: Waits): Promise<void> {
  await redisReply(redis.publish(waitsChannel(layoutId), JSON.stringify([...waits])));
}

/** The positions that readers wait for, as a projector hears them; it sends `heard` with each announcement. */
export class AwaitedPositions extends EventTarget {
  readonly #awaited = new Map<number, { readonly position: Position; readonly untilMs: number }>();

  /** The position that some reader waits for in a partition; sorts before all when none does. */
  find(partition: number): Position {
    const awaited = this.#awaited.get(partition);
    return awaited !== undefined && performance.now() < awaited.untilMs
      ? awaited.position
      : NOTHING;
  }

  /**
   * A wait is believed for a moment, unless it is heard again: one for a position that never comes moves
   * nothing for ever, also where others wait beside it.
   */
  note(waits: Waits): void {
    const untilMs = performance.now() + 5 * ANNOUNCE_AGAIN_MS;
    for (const [partition, position] of waits) {
      if (position >= this.find(partition)) this.#awaited.set(partition, { position, untilMs });
    }
    this.dispatchEvent(new Event('heard'));
  }
}

/**
 * Listens on a connection of its own. While Redis is out of reach nothing is heard, and idle partitions
 * move in their time.
 *
 * @returns the function that ends it.
 */
export function listenForWaits(
  url: string,
  layoutId: string,
  awaited: AwaitedPositions,
): () => void {
  const redis = connectForListening(url);
  redis.on('message', (_, text: string) => {
    const waits = readWaits(text);
    if (waits !== undefined) awaited.note(waits);
  });
  // The library would subscribe again by itself, and leave a refusal unhandled, which ends the process.
  redis.on('ready', () => {
    redis.subscribe(waitsChannel(layoutId)).catch(() => undefined);
  });
  return () => redis.disconnect();
}

/** Undefined for another release's announcement in another form: it is a hint, and no reason to end. */
function readWaits(text: string): Waits | undefined {
  try {
    // Readers of this ledger wrote it, as `announceWaits` does.
    return new Map(JSON.parse(text) as [number, Position][]);
  } catch {
    return undefined;
  }
}

function waitsChannel(layoutId: string): string {
  return `sl:${layoutId}:projector:awaited`;
}
