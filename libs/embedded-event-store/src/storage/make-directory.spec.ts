import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeDirectory } from './make-directory.js';

describe('making a directory', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'subledger-make-'));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('makes those above it, too, and takes one that is there', () => {
    const deep = path.join(folder, 'a', 'b');
    makeDirectory(deep, 0o700);
    makeDirectory(deep, 0o700);
    expect(statSync(deep).mode & 0o777).toBe(0o700);
  });

  it('names the file that is in the way', () => {
    const file = path.join(folder, 'file');
    writeFileSync(file, '');
    expect(() => makeDirectory(file)).toThrow(`${file} is no directory`);
    expect(() => makeDirectory(path.join(file, 'below'))).toThrow('ENOTDIR');
  });

  it('ends where nothing can be made', () => {
    expect(() => makeDirectory('/proc/subledger/data')).toThrow('ENOENT');
  });
});
