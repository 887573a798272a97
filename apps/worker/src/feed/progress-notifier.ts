import { Injectable } from '@nestjs/common';
import type { Position, RecordedEvent } from '#domain/event';

/** Is called with the events that were processed. */
export interface ProgressObserver {
  /** Called with each batch that was processed. */
  onProcessed(events: readonly RecordedEvent[]): void;
}

interface Waiting {
  readonly position: Position;
  readonly resolve: (isReached: boolean) => void;
}

/**
 * How far the feed is, for the rest of this process. The feed of every worker sees every event, so that
 * there is no need to ask the store over and over.
 */
@Injectable()
export class ProgressNotifier {
  readonly #observers: ProgressObserver[] = [];
  readonly #waiting = new Set<Waiting>();
  #position: Position = '';
  #begunAt: Position | undefined;

  /** The position at which the feed went on when this process took it up; sorts first before it has. */
  get begunAt(): Position {
    return this.#begunAt ?? '';
  }

  observe(observer: ProgressObserver): void {
    this.#observers.push(observer);
  }

  /** Called by the feed when a batch is processed, and, without events, when it resumes. */
  processed(events: readonly RecordedEvent[], upTo: Position): void {
    for (const observer of this.#observers) observer.onProcessed(events);
    this.#position = upTo;
    this.#begunAt ??= upTo;
    for (const waiting of this.#waiting) if (waiting.position <= upTo) waiting.resolve(true);
  }

  /** Resolves with whether everything up to a position was processed within the limit. */
  async waitFor(position: Position, limitMs: number): Promise<boolean> {
    if (this.#position >= position) return true;
    return new Promise((resolve) => {
      const end = (isReached: boolean) => {
        clearTimeout(timer);
        this.#waiting.delete(waiting);
        resolve(isReached);
      };
      const timer = setTimeout(() => end(false), limitMs);
      const waiting: Waiting = { position, resolve: end };
      this.#waiting.add(waiting);
    });
  }
}
