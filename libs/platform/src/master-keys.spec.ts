import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KEY_FILE_RECHECK_MS, masterKeysInFile, parseMasterKeys } from './master-keys.js';

const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const text = (...keys: Buffer[]) => `${keys.map((key) => key.toString('base64')).join('\n')}\n`;

describe('master keys in a file', () => {
  let file: string;
  let nowMs: number;

  beforeEach(() => {
    file = path.join(mkdtempSync(path.join(tmpdir(), 'subledger-keys-')), 'master.key');
    writeFileSync(file, text(first));
    nowMs = 0;
  });
  afterEach(() => rmSync(path.dirname(file), { recursive: true }));

  const read = () => masterKeysInFile(file, () => nowMs);

  it('are known to a running process a second after they came', () => {
    const keys = read();
    const [before] = keys.list();
    writeFileSync(file, text(second, first));
    expect(keys.list()).toEqual([first]);
    nowMs = KEY_FILE_RECHECK_MS;
    expect(keys.list()).toEqual([second, first]);
    expect(keys.list()[1]).toBe(before);
    expect(keys.environment).toEqual({ MASTER_KEY_FILE: file });
  });

  it('are read at once where a text is under none of them', () => {
    const keys = read();
    writeFileSync(file, text(second, first));
    keys.refresh();
    expect(keys.list()).toEqual([second, first]);
  });

  it('stay as they are while the file is damaged or away', () => {
    const keys = read();
    for (const damage of [() => writeFileSync(file, 'hal'), () => rmSync(file)]) {
      damage();
      nowMs += KEY_FILE_RECHECK_MS;
      expect(keys.list()).toEqual([first]);
    }
  });

  it('are refused at first where the file cannot be used', () => {
    writeFileSync(file, 'hal');
    expect(read).toThrow(`${file}, which cannot be used: must be 32 bytes`);
    rmSync(file);
    expect(read).toThrow(/which cannot be used: .*ENOENT/);
  });
});

describe('master keys as text', () => {
  it('stand one after another, with commas or lines between them', () => {
    expect(parseMasterKeys(text(first, second))).toEqual([first, second]);
    expect(parseMasterKeys(text(first, second).replace('\n', ', '))).toEqual([first, second]);
  });

  it.each(['', ' , ', 'c2hvcnQ=', `${text(first)}c2hvcnQ=`])('are refused: %j', (bad) => {
    expect(() => parseMasterKeys(bad)).toThrow(/must be 32 bytes in base64/);
  });

  it('are a few', () => {
    const many = Array.from({ length: 17 }, () => first);
    expect(() => parseMasterKeys(text(...many))).toThrow('at most 16');
  });
});
