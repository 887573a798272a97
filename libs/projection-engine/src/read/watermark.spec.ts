import { afterEach, describe, expect, it } from 'vitest';
import type { Redis } from '#redis';
import { encodeCheckpoint } from '../stored/checkpoint.js';
import { openReadModel } from '../stored/keys.js';
import { createWatermark, type Watermark } from './watermark.js';

const at = (position: number) => String(position).padStart(20, '0');
const LONG = { timeoutMs: 60_000 };
const ledger = { layoutId: 'store-1', partitions: 3 };
const [one, other] = [openReadModel('one.1.a', ledger), openReadModel('other.1.a', ledger)];

let watermark: Watermark;
afterEach(() => watermark.close());

/** Two read models: one whose three partitions stand at these positions, and another, far ahead. */
function standing(...positions: (number | undefined)[]) {
  const asked: string[] = [];
  const mget = async (keys: readonly string[]) => {
    asked.push(...keys);
    return keys.map((key) => {
      const number = one.partitions.findIndex((each) => each.checkpoint === key);
      const position = number === -1 ? 1_000 : positions[number];
      if (position === undefined) return null;
      return encodeCheckpoint({ position: at(position), layoutId: 's', epoch: 'e' });
    });
  };
  const announced: unknown[] = [];
  const publish = async (channel: string, waits: string) => {
    announced.push({ channel, waits: JSON.parse(waits) as unknown });
    return 1;
  };
  // Of Redis, no more than this is called.
  watermark = createWatermark({ mget, publish } as unknown as Redis, [other, one]);
  return { positions, asked, announced };
}

describe('the watermark', () => {
  it('is that of the partition that is asked for, or the lowest', async () => {
    standing(5, 3, 9);
    expect(await watermark.read(0)).toBe(at(5));
    expect(await watermark.read()).toBe(at(3));
  });

  it('sorts before everything where a partition has no checkpoint', async () => {
    standing(5, undefined, 9);
    expect(await watermark.read()).toBe('');
    expect(await watermark.read(2)).toBe(at(9));
  });
});

describe('a wait', () => {
  it('is over at once where the partitions that are read are there, whatever others do', async () => {
    const { asked } = standing(5, 3, 9);
    await watermark.waitFor(at(5), { ...LONG, partitions: [0, 2] });
    expect(asked).not.toContain(one.partitions[1]?.checkpoint);
  });

  it('is for all partitions where none are named', async () => {
    const { positions } = standing(9, 3, 9);
    let isOver = false;
    const waiting = watermark.waitFor(at(5), LONG).then(() => (isOver = true));
    await watermark.waitFor(at(9), { ...LONG, partitions: [0, 2] });
    expect(isOver).toBe(false);
    positions[1] = 5;
    await waiting;
  });

  it('looks at the partitions that are waited for, and at each of them once', async () => {
    const { positions, asked } = standing(1, 1, 1);
    const waits = [[0], [0, 1], [1]].map((partitions) =>
      watermark.waitFor(at(2), { ...LONG, partitions }),
    );
    positions[0] = 2;
    await waits[0];
    positions[1] = 2;
    await Promise.all(waits);
    expect(asked).not.toContain(one.partitions[2]?.checkpoint);
  });

  it('says to the projectors what is waited for, again and again while it goes on, and nothing else', async () => {
    const { positions, announced } = standing(1, 1, 9);
    await watermark.waitFor(at(9), { ...LONG, partitions: [2] });
    expect(announced).toEqual([]);
    const waiting = watermark.waitFor(at(2), { ...LONG, partitions: [0] });
    const other = watermark.waitFor(at(5), { ...LONG, partitions: [0, 1] });
    while (announced.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    const channel = 'sl:store-1:projector:awaited';
    const both = [
      [0, at(5)],
      [1, at(5)],
    ];
    expect(announced.slice(-2)).toEqual([
      { channel, waits: both },
      { channel, waits: both },
    ]);
    positions.splice(0, 2, 5, 5);
    await Promise.all([waiting, other]);
  });

  it('that another wait joins with a partition of its own goes on until that one is there', async () => {
    const { positions } = standing(1, 1, 1);
    const first = watermark.waitFor(at(2), { ...LONG, partitions: [0] });
    const second = watermark.waitFor(at(2), { ...LONG, partitions: [1] });
    let isOver = false;
    void second.then(() => (isOver = true));
    positions[0] = 2;
    await first;
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(false);
    positions[1] = 2;
    await second;
  });

  it('ends in time, or when the read models are closed', async () => {
    standing(1, 1, 1);
    const unavailable = { code: 'unavailable', retryable: true };
    await expect(watermark.waitFor(at(2), { timeoutMs: 1 })).rejects.toMatchObject(unavailable);
    const waiting = watermark.waitFor(at(2), LONG);
    await watermark.waitFor(at(1), LONG);
    watermark.close();
    await expect(waiting).rejects.toMatchObject(unavailable);
  });
});
