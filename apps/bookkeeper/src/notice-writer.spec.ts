import { expect, it } from 'vitest';
import type { Log } from '#platform';
import { NoticeWriter } from './notice-writer.js';

/** A writer of which each pass ends at a call: with an error, where one is given. */
function create() {
  const passes: ((error?: Error) => void)[] = [];
  const write = () =>
    new Promise<void>((resolve, reject) => {
      passes.push((error) => (error === undefined ? resolve() : reject(error)));
    });
  const warned: unknown[] = [];
  const log = { warn: (...args: unknown[]) => void warned.push(args) } as unknown as Log;
  return { writer: new NoticeWriter({ write }, log), passes, warned };
}

it('a checkpoint that comes while notices are written has them written once more', async () => {
  const { writer, passes } = create();
  writer.request();
  writer.request();
  writer.request();
  expect(passes).toHaveLength(1);
  passes[0]?.();
  await expect.poll(() => passes.length).toBe(2);
  passes[1]?.();
  await writer.settled();
  expect(passes).toHaveLength(2);
});

it('a failure is logged, and the next checkpoint begins anew', async () => {
  const { writer, passes, warned } = create();
  writer.request();
  passes[0]?.(new Error('away'));
  await writer.settled();
  expect(warned).toHaveLength(1);
  writer.request();
  expect(passes).toHaveLength(2);
  passes[1]?.();
  await writer.settled();
});
