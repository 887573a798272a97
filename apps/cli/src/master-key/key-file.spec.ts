import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { masterKeyId } from '#platform';
import { addMasterKey, dropFormerKeys } from './key-file.js';

const FIRST = Buffer.alloc(32, 1).toString('base64');
let file: string;

beforeEach(async () => {
  file = path.join(await mkdtemp(path.join(tmpdir(), 'subledger-keys-')), 'master.key');
  await writeFile(file, `${FIRST}\n`, { mode: 0o600 });
});
afterEach(() => rm(path.dirname(file), { recursive: true }));

const idOf = (key = '') => masterKeyId(Buffer.from(key, 'base64'));
const readKeys = async () => (await readFile(file, 'utf8')).trim().split('\n');

describe('a file of master keys', () => {
  it('gets a new key before the one that it has, for its owner alone, and once', async () => {
    expect(await addMasterKey(file)).toBe(true);
    const keys = await readKeys();
    expect(keys).toEqual([expect.stringMatching(/^[\w+/]{43}=$/), FIRST]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await addMasterKey(file)).toBe(false);
    expect(await readKeys()).toEqual(keys);
    expect(await readdir(path.dirname(file))).toEqual(['master.key']);
  });

  it('loses no key to another rotation that is at it', async () => {
    const ends = await Promise.allSettled([addMasterKey(file), addMasterKey(file)]);
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await readKeys()).toHaveLength(2);
    await writeFile(`${file}.rotating`, '');
    await expect(dropFormerKeys(file, '')).rejects.toThrow(`if none runs, delete ${file}.rotating`);
    expect(await readKeys()).toHaveLength(2);
  });

  it('keeps the first key alone when the others are dropped', async () => {
    await addMasterKey(file);
    const [present] = await readKeys();
    await dropFormerKeys(file, idOf(present));
    expect(await readKeys()).toEqual([present]);
  });

  it('stays readable for those who could read it', async () => {
    await chmod(file, 0o640);
    await addMasterKey(file);
    expect((await stat(file)).mode & 0o777).toBe(0o640);
  });

  it('keeps all keys where another one is the first than that under which all is sealed', async () => {
    await addMasterKey(file);
    const before = await readKeys();
    await expect(dropFormerKeys(file, idOf(before[1]))).rejects.toThrow('is another one by now');
    expect(await readKeys()).toEqual(before);
  });

  it('that is damaged stays as it is', async () => {
    await writeFile(file, 'hal');
    await expect(addMasterKey(file)).rejects.toThrow('must be 32 bytes');
    expect(await readFile(file, 'utf8')).toBe('hal');
    expect(await readdir(path.dirname(file))).toEqual(['master.key']);
  });
});
