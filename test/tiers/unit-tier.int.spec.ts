import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import path from 'node:path';
import process from 'node:process';
import { beforeAll, describe, expect, it } from '@jest/globals';

const JEST = path.resolve('node_modules/jest/bin/jest.js');
const ONE_BY_ONE = ['-i', '--testSequencer', path.resolve('test/tiers/fixtures/by-name.mjs')];

/** Fixtures that have to do with none of the others; they are run by one Jest. */
const REFUSED = [
  ['opens-a-connection', 'A unit spec opened a connection'],
  ['opens-a-connection-from-a-timer', 'A unit spec opened a connection'],
  ['listens', 'A unit spec listened on a port'],
  ['starts-a-process', 'A unit spec started a process'],
] as const;

interface FileResult {
  readonly name: string;
  readonly message: string;
  readonly assertionResults: readonly { readonly status: string }[];
}

/** Runs files of the fixtures as unit specs. @returns the exit code, the output of Jest, and the result of each. */
async function runAsUnitSpecs(fixtures: string) {
  const file = `**/tiers/fixtures/${fixtures}.fixture.ts`;
  const args = ['--selectProjects', 'unit', '--json', ...ONE_BY_ONE, '--testMatch', file];
  const child = spawn(process.execPath, ['--experimental-vm-modules', JEST, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [output, json] = await Promise.all([text(child.stderr), text(child.stdout)]);
  const { testResults } = JSON.parse(json) as { testResults: readonly FileResult[] };
  const find = (fixture: string) =>
    testResults.find(({ name }) => path.basename(name) === `${fixture}.fixture.ts`);
  return { code: await closed, output, find };
}

describe('the unit tier', () => {
  let run: Awaited<ReturnType<typeof runAsUnitSpecs>>;

  beforeAll(async () => {
    const all = ['stays-in-memory', ...REFUSED.map(([fixture]) => fixture)];
    run = await runAsUnitSpecs(`{${all.join()}}`);
  });

  const readStatuses = (fixture: string) =>
    run.find(fixture)?.assertionResults.map(({ status }) => status);

  it('runs a spec that stays in memory', () => {
    expect(readStatuses('stays-in-memory')).toEqual(['passed']);
  });

  it.each(REFUSED)('refuses a spec that %s', (fixture, message) => {
    expect(readStatuses(fixture)).toEqual(['failed']);
    expect(run.find(fixture)?.message).toContain(message);
    expect(run.code).toBe(1);
  });

  it('does not blame a spec for a connection that an earlier file left behind', async () => {
    const { code, output } = await runAsUnitSpecs('leftover-*');
    expect([code, output]).toEqual([0, expect.stringContaining('2 passed, 2 total')]);
    expect(output).toContain('The leftover was refused');
  });
});
