import { describe, expect, it } from 'vitest';
import { StartProgress } from './start-progress.js';

const doing = 'building the read models';

function create(isTTY: boolean) {
  const written: string[] = [];
  const progress = new StartProgress({ isTTY, write: (text) => written.push(text) });
  return { progress, written };
}

describe('the progress of a long start', () => {
  it('is a bar in a terminal, on one line', () => {
    const { progress, written } = create(true);
    progress.show({ doing, progress: 0.5 });
    progress.show({ doing, progress: 1 });
    progress.end();
    progress.end();
    expect(written).toEqual([
      `\rsubledger: ${doing} [${'#'.repeat(15)}${'.'.repeat(15)}] 50 %`,
      `\rsubledger: ${doing} [${'#'.repeat(30)}] 100 %`,
      '\n',
    ]);
  });

  it('is a line for each tenth of the way elsewhere', () => {
    const { progress, written } = create(false);
    for (const share of [0.02, 0.05, 0.12, 0.13, 0.6]) progress.show({ doing, progress: share });
    progress.end();
    expect(written).toEqual(
      ['2 %', '12 %', '60 %'].map((text) => `subledger: ${doing}: ${text}\n`),
    );
  });
});
