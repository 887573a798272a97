import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { masterKeysIn, openDataDir, refuseLostMasterKey, StartRefused } from './data-dir.js';

describe('the master key', () => {
  let dataDir: string;

  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'subledger-key-'));
  });

  afterEach(async () => {
    await rm(dataDir, { recursive: true });
  });

  it('is made once, for its owner alone, and stands alone in its folder', async () => {
    const [key] = (await masterKeysIn(dataDir)).list();
    expect(key).toHaveLength(32);
    expect((await masterKeysIn(dataDir)).list()).toEqual([key]);
    expect(await readdir(dataDir)).toEqual(['master.key']);
    const { mode } = await stat(path.join(dataDir, 'master.key'));
    expect(mode & 0o777).toBe(0o600);
  });

  it('is the same for all starts that make it at once', async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, () => masterKeysIn(dataDir)));
    const texts = keys.flatMap((found) => found.list().map((key) => key.toString('base64')));
    expect(new Set(texts).size).toBe(1);
    expect(await readdir(dataDir)).toEqual(['master.key']);
  });

  it('is made although an earlier start was cut short while it wrote one', async () => {
    await writeFile(path.join(dataDir, 'master.key.0123456789abcdef.new'), 'hal');
    expect((await masterKeysIn(dataDir)).list()).toHaveLength(1);
  });

  it('is never replaced, damaged as it may be', async () => {
    const file = path.join(dataDir, 'master.key');
    await writeFile(file, 'short\n');
    await expect(masterKeysIn(dataDir)).rejects.toThrow(StartRefused);
    expect(await readFile(file, 'utf8')).toBe('short\n');
  });

  it('is not replaced when it is lost: the start is refused and nothing is written', async () => {
    const store = path.join(dataDir, 'event-store');
    await mkdir(store);
    expect(() => refuseLostMasterKey(dataDir)).not.toThrow();
    await writeFile(path.join(store, 'events.mdb'), '');
    expect(() => refuseLostMasterKey(dataDir)).toThrow(`${dataDir}/master.key is missing`);
    expect(await readdir(dataDir)).toEqual(['event-store']);
    await writeFile(path.join(dataDir, 'master.key'), '');
    expect(() => refuseLostMasterKey(dataDir)).not.toThrow();
  });
});

describe('a data directory', () => {
  it.each(['/proc/subledger', '/proc/subledger/deep', '/dev/null/below'])(
    'is refused where nothing can be made: %s',
    async (dataDir) => {
      await expect(openDataDir(dataDir)).rejects.toThrow(StartRefused);
      await expect(openDataDir(dataDir)).rejects.toThrow(`${dataDir} cannot be written: `);
    },
  );
});
