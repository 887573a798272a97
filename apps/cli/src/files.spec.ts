import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileSize, orUnwritable, readBytes, readText } from './files.js';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'files-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function write(content: string | Buffer): string {
  const file = path.join(folder, 'file');
  writeFileSync(file, content);
  return file;
}

describe('a file that a command reads', () => {
  it.each([
    ['\uFEFF{"rates":[]}', '{"rates":[]}'],
    ['{"rates":[]}', '{"rates":[]}'],
    ['\uFEFF', ''],
    ['', ''],
    ['a\uFEFF', 'a\uFEFF'],
    ['\uFEFF\uFEFFa', '\uFEFFa'],
  ])('has no byte order mark: %j', (content, expected) => {
    const file = write(content);
    expect(readText(file)).toBe(expected);
    expect(readBytes(file)).toEqual(Buffer.from(expected));
    expect(fileSize(file)).toBe(Buffer.byteLength(content));
  });

  it('is named where it is not there', () => {
    const file = path.join(folder, 'none');
    for (const read of [readText, readBytes, fileSize]) {
      expect(() => read(file)).toThrow(/none cannot be read: .*ENOENT/);
    }
  });
});

describe('a place that a command writes to', () => {
  it('is named where it cannot be written', async () => {
    const below = path.join(write('a file'), 'folder');
    const writing = orUnwritable(below, () => mkdir(below, { recursive: true }));
    await expect(writing).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringContaining(`${below} cannot be written: ENOTDIR`) as string,
    });
  });

  it('hides no other error', async () => {
    const error = new Error('out of reach');
    await expect(orUnwritable('there', () => Promise.reject(error))).rejects.toBe(error);
  });
});
