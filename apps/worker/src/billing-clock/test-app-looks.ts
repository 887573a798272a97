import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { categoryOf, type Position, type RecordedEvent } from '#domain/event';
import { dueDates } from '#projections';
import { ProgressNotifier, type ProgressObserver } from '../feed/progress-notifier.js';
import { CLOCKS } from '../tokens.js';

/** The test apps whose clock was ever advanced: `MovedClocks`. */
export interface AdvancedClocks {
  has(appId: string): boolean;
  follow(onClock: (appId: string, mayAdvance: boolean) => void): () => void;
}

/**
 * Which test apps have to be looked into, of those whose clock was advanced: their due dates are due by their own
 * clock. One in which nothing is due is left alone until something will be, its clock is advanced, or one of its
 * subscriptions or orders changes.
 */
@Injectable()
export class TestAppLooks implements ProgressObserver, OnModuleInit {
  /** When each app is to be looked into next. */
  readonly #times = new Map<string, number>();
  readonly #changedAt = new Map<string, Position>();
  /** Nothing was due in them by read models that did not show this position. */
  readonly #notShown = new Map<string, Position>();
  /** Something happened since they were taken. */
  readonly #woken = new Set<string>();

  constructor(
    @Inject(CLOCKS) private readonly clocks: AdvancedClocks,
    private readonly notifier: ProgressNotifier,
  ) {}

  onModuleInit(): void {
    this.notifier.observe(this);
  }

  /** Takes up the apps whose clock is known to have moved. @returns the function that ends that. */
  follow(): () => void {
    return this.clocks.follow((appId) => this.#wake(appId));
  }

  onProcessed(events: readonly RecordedEvent[]): void {
    for (const { streamName, metadata, position } of events) {
      if (!dueDates.categories.includes(categoryOf(streamName))) continue;
      const { appId, environment } = metadata;
      if (environment !== 'test') continue;
      this.#changedAt.set(appId, position);
      if (this.clocks.has(appId)) this.#wake(appId);
    }
  }

  /** Whether there are apps of which the read models have not shown all that is known here. */
  get awaitsReadModels(): boolean {
    return this.#notShown.size > 0;
  }

  /** The read models show everything up to here: apps that were behind are looked into again. */
  noteShown(upTo: Position): void {
    for (const [appId, needed] of this.#notShown) {
      if (needed > upTo) continue;
      this.#notShown.delete(appId);
      this.again(appId);
    }
  }

  /** The apps to look into now. */
  take(nowMs: number): string[] {
    const appIds = [...this.#times].flatMap(([appId, atMs]) => (atMs <= nowMs ? appId : []));
    for (const appId of appIds) {
      this.#times.delete(appId);
      this.#woken.delete(appId);
      this.#notShown.delete(appId);
    }
    return appIds;
  }

  /** There was something due, or the look failed: the app is looked into at the next tick. */
  again(appId: string): void {
    this.#times.set(appId, 0);
  }

  /**
   * Nothing is due before a time. It is believed where the read models showed, when they were asked, all
   * that this process knows of the app, or knew when it began; else they are asked again when they do.
   *
   * @param nextAtMs undefined where nothing is due at all.
   */
  leaveAlone(appId: string, shownAt: Position, nextAtMs: number | undefined): void {
    if (this.#woken.has(appId)) {
      this.again(appId);
      return;
    }
    const { begunAt } = this.notifier;
    const changedAt = this.#changedAt.get(appId) ?? '';
    const needed = changedAt > begunAt ? changedAt : begunAt;
    if (shownAt < needed) this.#notShown.set(appId, needed);
    if (nextAtMs !== undefined) this.#times.set(appId, nextAtMs);
  }

  #wake(appId: string): void {
    this.#woken.add(appId);
    this.#times.set(appId, 0);
  }
}
