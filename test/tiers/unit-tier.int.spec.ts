import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import path from 'node:path';
import process from 'node:process';
import { beforeAll, describe, expect, it } from 'vitest';

const VITEST = path.resolve('node_modules/vitest/vitest.mjs');

/** Fixtures that have to do with none of the others; they are run by one Vitest. */
const REFUSED = [
  ['opens-a-connection', 'A unit spec opened a connection'],
  ['opens-a-connection-from-a-timer', 'A unit spec opened a connection'],
  ['listens', 'A unit spec listened on a port'],
  ['starts-a-process', 'A unit spec started a process'],
] as const;

interface FileResult {
  readonly name: string;
  readonly status: string;
  /** The error outside of its tests. */
  readonly message: string;
  readonly assertionResults: readonly { readonly failureMessages: readonly string[] }[];
}

/** Runs all files of the fixtures as unit specs. @returns the exit code, the errors that it printed, and the results of each. */
async function runAsUnitSpecs() {
  const config = ['--config', 'test/tiers/fixtures/vitest.config.mjs', '--root', '.'];
  const args = ['run', ...config, '--project', 'unit', '--reporter', 'json'];
  const child = spawn(process.execPath, [VITEST, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [json, said] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const { testResults } = JSON.parse(json) as { testResults: readonly FileResult[] };
  const find = (fixture: string) =>
    testResults.find(({ name }) => path.basename(name) === `${fixture}.fixture.ts`);
  return { code: await closed, said, find };
}

describe('the unit tier', () => {
  let run: Awaited<ReturnType<typeof runAsUnitSpecs>>;

  beforeAll(async () => {
    run = await runAsUnitSpecs();
  });

  it('runs a spec that stays in memory, and is red', () => {
    expect(run.find('stays-in-memory')?.status).toBe('passed');
    expect(run.code).toBe(1);
  });

  it.each(REFUSED)('refuses a spec that %s', (fixture, message) => {
    const { status, message: outside, assertionResults = [] } = run.find(fixture) ?? {};
    const inside = assertionResults.flatMap(({ failureMessages }) => failureMessages);
    expect(status).toBe('failed');
    expect([outside, ...inside].join()).toContain(message);
  });

  it('does not blame a spec for a connection that an earlier file left behind', () => {
    expect(run.find('leftover-2-is-not-blamed')?.status).toBe('passed');
    expect(run.said).toContain('The leftover was refused');
  });
});
