import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { runToEnd, startStandalone, temporaryDataDir } from '../support/standalone.js';

describe('the standalone', () => {
  it.each(['/proc/subledger', '/dev/null/data'])(
    'refuses a data directory where nothing can be made: %s',
    async (dataDir) => {
      const { code, stderr } = await runToEnd({ DATA_DIR: dataDir });
      expect(code).toBe(1);
      expect(stderr).toContain(`${dataDir} cannot be written`);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    },
  );

  it('refuses to go on without the master key, or with another one, and writes nothing', async () => {
    const other = temporaryDataDir();
    await (await startStandalone(other.dataDir)).stop();
    const keyFile = path.join(other.dataDir, 'master.key');
    const otherKey = Buffer.alloc(32, 1).toString('base64');
    const withOther = await runToEnd({ DATA_DIR: other.dataDir, MASTER_KEY: otherKey });
    expect(withOther.code).toBe(1);
    expect(withOther.stderr).toContain('were sealed with another master key');
    expect(withOther.stderr.trim().split('\n')).toHaveLength(1);

    await rm(keyFile);
    const before = await listContent(other.dataDir);
    const lost = await runToEnd({ DATA_DIR: other.dataDir });
    expect(lost.code).toBe(1);
    expect(lost.stderr).toContain(`${keyFile} is missing`);
    expect(lost.stderr.trim().split('\n')).toHaveLength(1);
    expect(await listContent(other.dataDir)).toEqual(before);
    other.remove();
  });
});

/** Every file below a directory, with when it was last written. */
async function listContent(dataDir: string): Promise<string[]> {
  const names = await readdir(dataDir, { recursive: true });
  const told = names.map(async (name) => {
    return `${name} ${(await stat(path.join(dataDir, name))).mtimeMs}`;
  });
  return (await Promise.all(told)).sort();
}
