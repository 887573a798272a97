import { Injectable } from '@nestjs/common';
import type { Position, RecordedEvent } from '#domain/event';
import { Progress } from '#event-store';

/** Is called with the events that were processed. */
export interface ProgressObserver {
  /** Called with each batch that was processed. */
  onProcessed(events: readonly RecordedEvent[]): void;
}

/**
 * How far the feed is, for the rest of this process. The feed of every worker sees every event, so that
 * there is no need to ask the store over and over.
 */
@Injectable()
export class ProgressNotifier {
  readonly #observers: ProgressObserver[] = [];
  readonly #progress = new Progress('the feed');
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
    this.#begunAt ??= upTo;
    this.#progress.reach(upTo);
  }

  /** Resolves when everything up to a position was processed. @throws Fault `unavailable` after the limit. */
  async waitFor(position: Position, limitMs: number): Promise<void> {
    await this.#progress.waitFor(position, limitMs);
  }
}
