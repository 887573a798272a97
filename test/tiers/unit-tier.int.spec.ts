import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import path from 'node:path';
import process from 'node:process';
import { describe, expect, it } from '@jest/globals';

const JEST = path.resolve('node_modules/jest/bin/jest.js');
const ONE_BY_ONE = ['-i', '--testSequencer', path.resolve('test/tiers/fixtures/by-name.mjs')];

/** Runs files of the fixtures as unit specs. @returns the exit code and what Jest printed. */
async function runAsUnitSpec(fixture: string): Promise<{ code: number | null; output: string }> {
  const file = `**/tiers/fixtures/${fixture}.fixture.ts`;
  const child = spawn(
    process.execPath,
    [
      '--experimental-vm-modules',
      JEST,
      '--selectProjects',
      'unit',
      ...ONE_BY_ONE,
      '--testMatch',
      file,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  const output = await text(child.stderr);
  return { code: await closed, output };
}

describe('the unit tier', () => {
  it('runs a spec that stays in memory', async () => {
    const { code, output } = await runAsUnitSpec('stays-in-memory');
    expect([code, output]).toEqual([0, expect.stringContaining('1 passed, 1 total')]);
  });

  it.each([
    ['opens-a-connection', 'A unit spec opened a connection'],
    ['opens-a-connection-from-a-timer', 'A unit spec opened a connection'],
    ['listens', 'A unit spec listened on a port'],
    ['starts-a-process', 'A unit spec started a process'],
  ])('refuses a spec that %s', async (fixture, message) => {
    const { code, output } = await runAsUnitSpec(fixture);
    expect([code, output]).toEqual([1, expect.stringContaining(message)]);
    expect(output).toContain('1 failed, 1 total');
  });

  it('does not blame a spec for a connection that an earlier file left behind', async () => {
    const { code, output } = await runAsUnitSpec('leftover-*');
    expect([code, output]).toEqual([0, expect.stringContaining('2 passed, 2 total')]);
    expect(output).toContain('The leftover was refused');
  });
});
