import { describe, expect, it } from 'vitest';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { type BookFile, bookPath } from './book-file.js';
import { BooksLog } from './books-log.js';

function makeFile(first: number, last: number, accounts = 1): BookFile {
  const part = { environment: 'test', period: '2026-01', first, last } as const;
  const totals = Array.from({ length: accounts }, (_, at) => {
    return { account: `assets:${at}`, currency: 'EUR', debit: '5', credit: '0' };
  });
  const hashes = {
    bytes: 1,
    rowsHash: 'a'.repeat(64),
    fileHash: 'b'.repeat(64),
    writerVersion: 'v1',
  };
  return { ...part, path: bookPath(part), rows: 2, totals, ...hashes };
}

describe('the log of the books', () => {
  it('has the files of all checkpoints, without those that others replaced', async () => {
    const log = new BooksLog(new MemoryEventStore());
    expect(await log.read()).toEqual({
      ...{ size: 0, files: new Map(), replaced: new Set(), foreseen: [], closes: [] },
      ...{ revision: -1, writtenAtMs: 0, waiting: [] },
    });
    const [one, two, both] = [makeFile(0, 9), makeFile(10, 19), makeFile(0, 19)];
    await log.addFiles(await log.read(), { size: 10, files: [one] });
    await log.addFiles(await log.read(), { size: 20, files: [two] });
    const written = await log.read();
    expect([...written.files.values()]).toEqual([one, two]);
    expect(written.size).toBe(20);
    expect(Math.abs(Date.now() - written.writtenAtMs)).toBeLessThan(60_000);
    await log.replaceFiles(written, { files: [both], replaced: [one.path, two.path] });
    const replaced = await log.read();
    expect([...replaced.files.values()]).toEqual([both]);
    expect([replaced.size, replaced.revision]).toEqual([20, 2]);
    expect([...replaced.replaced]).toEqual([one.path, two.path]);
  });

  it('has files that take the place of others at once with the closes that they foresee', async () => {
    const log = new BooksLog(new MemoryEventStore());
    const close = { app: 'app_1', period: '2026-01', size: 12, leaf: 25 };
    const [one, two, again] = [makeFile(0, 9), makeFile(10, 19), makeFile(10, 29)];
    await log.addFiles(await log.read(), { size: 20, files: [one, two] });
    const change = { replaced: [two.path], foreseen: [close], closes: [close] };
    await log.addFiles(await log.read(), { size: 30, files: [again], ...change });
    const { files, foreseen, closes, replaced } = await log.read();
    expect([...files.keys()]).toEqual([one.path, again.path]);
    expect([foreseen, closes, [...replaced]]).toEqual([[close], [close], [two.path]]);
    // Files that are written again have the same closes.
    const other = { ...close, app: 'app_2', leaf: 35 };
    const more = { size: 40, files: [], closes: [close, other] };
    await log.addFiles(await log.read(), more);
    expect((await log.read()).closes).toEqual([close, other]);
  });

  it('takes the files of a checkpoint that need several events all or not at all', async () => {
    const store = new MemoryEventStore();
    const log = new BooksLog(store);
    const files = [0, 10, 20].map((first) => makeFile(first, first + 9, 4_000));
    let appends = 0;
    store.onAppend = () => {
      appends += 1;
      if (appends === 2) throw new Error('killed');
    };
    await expect(log.addFiles(await log.read(), { size: 30, files })).rejects.toThrow('killed');
    const partly = await log.read();
    expect([partly.size, partly.files.size, partly.revision]).toEqual([0, 0, 0]);
    await log.addFiles(partly, { size: 40, files });
    const whole = await log.read();
    expect([whole.size, whole.files.size]).toEqual([40, 3]);
    expect(whole.revision).toBeGreaterThan(1);
  });

  it('has the closes of thousands of apps in as many events as they need', async () => {
    const store = new MemoryEventStore();
    const sizes: number[] = [];
    store.onAppend = (_, events) => {
      for (const { data } of events) sizes.push(JSON.stringify(data).length);
    };
    const log = new BooksLog(store);
    const closes = Array.from({ length: 10_000 }, (__, leaf) => {
      return { app: `app_${'0'.repeat(24)}${leaf}`, period: '2026-01', size: leaf, leaf };
    });
    const change = { size: 10_000, files: [makeFile(0, 9_999)], foreseen: closes, closes };
    await log.addFiles(await log.read(), change);
    const state = await log.read();
    expect([state.closes, state.foreseen]).toEqual([closes, closes]);
    expect(Math.max(...sizes)).toBeLessThan(1_000_000);
  });

  it('lets one of two bookkeepers write', async () => {
    const log = new BooksLog(new MemoryEventStore());
    const before = await log.read();
    await log.addFiles(before, { size: 10, files: [makeFile(0, 9)] });
    await expect(log.addFiles(before, { size: 12, files: [makeFile(0, 11)] })).rejects.toThrow(
      'revision 0',
    );
  });
});
