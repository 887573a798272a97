import { describe, expect, it } from 'vitest';
import type { VerbatimEvent } from '#event-store';
import { CopyProgress } from './copy-progress.js';

const position = (n: number) => String(n).padStart(20, '0');
// Only an event's time of creation is looked at.
const events = (count: number) =>
  new Array(count).fill({ createdAtMs: Date.now() }) as VerbatimEvent[];

function observe(isTTY: boolean) {
  const written: string[] = [];
  let nowMs = 0;
  const terminal = { isTTY, write: (text: string) => written.push(text) };
  const progress = new CopyProgress(terminal, () => nowMs);
  const wrote = (count: number, upTo: number, isCaughtUp = false) => {
    nowMs += 1_000;
    progress.wrote({ events: events(count), upTo: position(upTo), isCaughtUp });
  };
  return { progress, wrote, written };
}

describe('the progress of a copy', () => {
  it('shows the share of the log, the rate and the time left', () => {
    const { progress, wrote, written } = observe(true);
    progress.begins(position(1_000), position(11_000));
    wrote(500, 3_000);
    wrote(1_500, 6_000);
    expect(written).toEqual([
      '\r\u001b[K[######........................] 20 %  500 events, 500/s, 4 s left',
      '\r\u001b[K[###############...............] 50 %  2,000 events, 1,000/s, 2 s left',
    ]);
  });

  it('says once that it has caught up, and then how far behind it is', () => {
    const { progress, wrote, written } = observe(true);
    let caughtUp = 0;
    progress.onceCaughtUp(() => (caughtUp += 1));
    progress.begins('', position(10));
    wrote(1, 10, true);
    wrote(2, 12, true);
    expect(caughtUp).toBe(1);
    expect(written.at(-1)).toMatch(/^\r\S*following {2}3 events copied, 0\.0 s behind$/);
  });

  it('is silent where there is no terminal', () => {
    const { progress, wrote, written } = observe(false);
    progress.begins('', position(10));
    wrote(1, 10, true);
    expect([written, progress.events]).toEqual([[], 1]);
  });
});
