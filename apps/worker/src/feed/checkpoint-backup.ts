import type { Redis } from 'ioredis';
import type { Position } from '#domain/event';
import type { EventStore } from '#event-store';
import { type Clock, type Log, sleepUnlessAborted, warnSeldom } from '#platform';
import { MARK_EVERY_MS } from '../limits.js';
import { ofRedis } from '../redis/connect.js';
import type { WorkerKeys } from '../redis/keys.js';
import { limitMarks, type Mark, presentMark, readMark, writeMark } from './delivery-checkpoint.js';

interface MarkWriterParts {
  readonly store: EventStore;
  readonly redis: Redis;
  readonly keys: WorkerKeys;
  readonly clock: Clock;
  readonly lastEventAt: () => Position;
  readonly log: Log;
}

/** Writes marks: when there is something new to say, seldom, and by one worker at a time. */
export class MarkWriter {
  readonly #parts: MarkWriterParts;
  #last: Mark | undefined;

  constructor(parts: MarkWriterParts) {
    this.#parts = parts;
  }

  /** Runs until the signal is aborted; never throws. */
  async run(signal: AbortSignal): Promise<void> {
    this.#last = await readMark(this.#parts.store).catch(() => undefined);
    while (await sleepUnlessAborted(MARK_EVERY_MS, signal)) {
      if (await this.#isOurTurn().catch(() => false))
        await this.#write((mark) => this.#isNew(mark));
    }
  }

  /** The last word of a worker that stops in order, when all else has ended: nothing is repeated then. */
  async writeLast(): Promise<void> {
    await this.#write(({ position, unsettled }) => {
      const last = this.#last;
      return last?.position !== position || last.unsettled.join() !== unsettled.join();
    });
  }

  async #write(isWorthIt: (mark: Mark) => boolean): Promise<void> {
    await this.#writeIf(isWorthIt).catch((error: unknown) => {
      warnSeldom(this.#parts.log, error, 'the mark could not be written; it is tried again');
    });
  }

  async #isOurTurn(): Promise<boolean> {
    const { redis, keys } = this.#parts;
    const turn = redis.set(keys.markTurn, '1', 'PX', MARK_EVERY_MS - 200, 'NX');
    return (await ofRedis(turn)) === 'OK';
  }

  async #writeIf(isWorthIt: (mark: Mark) => boolean): Promise<void> {
    const { store, redis, keys, clock } = this.#parts;
    const mark = await presentMark(redis, keys);
    if (mark === undefined || !isWorthIt(mark)) return;
    if (this.#last === undefined) await limitMarks(store, clock);
    await writeMark(store, mark, clock);
    this.#last = mark;
  }

  /** A position that moved over events of others, the last mark among them, is nothing new. */
  #isNew({ unsettled }: Mark): boolean {
    if (this.#last === undefined) return true;
    const isFurther = this.#parts.lastEventAt() > this.#last.position;
    return isFurther || unsettled.join() !== this.#last.unsettled.join();
  }
}
