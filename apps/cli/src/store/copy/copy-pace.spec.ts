import { beforeEach, describe, expect, it } from 'vitest';
import type { LedgerStore } from '#event-store';
import { toPosition } from './spec-support/copied-memory-store.js';
import { BoundedPace, ConsideratePace, type CopyPace } from './copy-pace.js';
import type { CopyWindow } from './copy-windows.js';

const { signal } = new AbortController();
const WORK_MS = 100;

/** A source by a clock of its own, at which a copy works for `WORK_MS` before each pause. */
class Source {
  nowMs = 0;
  pausedMs = 0;
  head = 1_000_000;
  copied = 0;
  /** How long an append takes while the copy pauses, and while it works. */
  appendMs = { paused: 2, working: 2 };
  writtenPerSecond = 0;
  #measured = 0;

  readonly options = {
    nowMs: () => this.nowMs,
    sleep: async (ms: number) => {
      this.pausedMs += ms;
      this.#pass(ms);
    },
  };

  get store(): Pick<LedgerStore, 'headPosition'> {
    return { headPosition: async () => toPosition(Math.floor(this.head)) };
  }

  /** The first append of a pause is over before the copy goes on, and the second one is beside its work. */
  measureAppend = async () => {
    this.#measured += 1;
    return this.#measured === 1 ? this.appendMs.paused : this.appendMs.working;
  };

  /** @returns the share of the time that the copy worked in the last windows. */
  async copy(pace: CopyPace, windows: number, isFollowing = false): Promise<number> {
    const [startedAtMs, pausedMs] = [this.nowMs, this.pausedMs];
    const events = pace.windowEvents;
    for (let n = 0; n < windows; n += 1) {
      this.#pass(WORK_MS);
      this.copied += events;
      this.#measured = 0;
      await pace.pauseBehind(this.#window(events), signal, isFollowing);
    }
    return 1 - (this.pausedMs - pausedMs) / (this.nowMs - startedAtMs);
  }

  #pass(ms: number): void {
    this.nowMs += ms;
    this.head += (this.writtenPerSecond * ms) / 1_000;
  }

  #window(events: number): CopyWindow {
    const upTo = toPosition(this.copied);
    return { events: Array.from({ length: events }), upTo, isCaughtUp: false };
  }
}

let source: Source;
let pace: ConsideratePace;
beforeEach(() => {
  source = new Source();
  pace = new ConsideratePace(source.store, source.measureAppend, source.options);
});

describe('a copy beside programs', () => {
  it('pauses four fifths of the time where appends take more than twice as long while it works', async () => {
    Object.assign(source, { writtenPerSecond: 100, appendMs: { paused: 2, working: 5 } });
    await source.copy(pace, 200);
    expect(await source.copy(pace, 50)).toBeCloseTo(0.2);
  });

  it('does not pause where appends are about as quick while it works', async () => {
    Object.assign(source, { writtenPerSecond: 100, appendMs: { paused: 2, working: 3.5 } });
    await source.copy(pace, 50);
    expect(await source.copy(pace, 50)).toBe(1);
  });

  it('does not pause where hardly anything is written that it could slow down', async () => {
    Object.assign(source, { writtenPerSecond: 20, appendMs: { paused: 2, working: 20 } });
    await source.copy(pace, 50);
    expect(await source.copy(pace, 50)).toBe(1);
  });

  it('works again when appends are quick again', async () => {
    Object.assign(source, { writtenPerSecond: 100, appendMs: { paused: 2, working: 5 } });
    await source.copy(pace, 200);
    source.appendMs.working = 2;
    await source.copy(pace, 100);
    expect(await source.copy(pace, 50)).toBe(1);
  });

  // At a fifth of its time it would copy 2,000 a second.
  it('comes nearer to the end of a source to which much is written', async () => {
    Object.assign(source, { writtenPerSecond: 3_500, appendMs: { paused: 2, working: 20 } });
    await source.copy(pace, 200);
    const before = source.head - source.copied;
    await source.copy(pace, 400);
    expect(source.head - source.copied).toBeLessThan(before);
  });

  it('does not pause when it has caught up, and follows', async () => {
    Object.assign(source, { writtenPerSecond: 100, appendMs: { paused: 2, working: 5 } });
    await source.copy(pace, 200);
    expect(await source.copy(pace, 50, true)).toBe(1);
  });
});

describe('a copy with --max-per-second', () => {
  it.each([40, 1_000])('copies %i events a second', async (maxPerSecond) => {
    const bounded = new BoundedPace(maxPerSecond, source.options);
    await source.copy(bounded, 100);
    expect((source.copied * 1_000) / source.nowMs).toBeCloseTo(maxPerSecond, -1);
  });
});
