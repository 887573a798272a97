import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backendClient, operatorClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { buildFaultyRelease, type RaisedRelease } from '../support/raised-release.js';
import { buy, createPlan } from '../support/scenario.js';
import { type RunningStandalone, startStandalone } from '../support/standalone.js';

let root: string;
let page: string;
let release: RaisedRelease;
let standalone: RunningStandalone | undefined;
let next: ChildProcess | undefined;
let nextSaid = '';
let subscriptionId: string;

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'runbook-'));
  page = await readFile('docs/operations.md', 'utf8');
  release = await buildFaultyRelease();
  await useCommandLine(path.resolve('dist/programs/subledger.js'));
  standalone = await startStandalone(path.join(root, 'data'));
  const { demo } = standalone;
  await createPlan(operatorClient(demo), demo.appId, { code: 'gold' });
  ({ subscriptionId } = await buy(backendClient(demo), { plan: 'gold', player: 'player-1' }));
});

afterAll(async () => {
  await standalone?.stop();
  if (next?.exitCode === null) {
    const closed = once(next, 'close');
    next.kill('SIGTERM');
    await closed;
  }
  await release.remove();
  await rm(root, { recursive: true, force: true });
});

/** A person has `subledger` on the path. */
async function useCommandLine(program: string): Promise<void> {
  await mkdir(path.join(root, 'bin'), { recursive: true });
  const shim = path.join(root, 'bin', 'subledger');
  await writeFile(shim, `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  await chmod(shim, 0o755);
}

/** The commands below a headline of the page, up to the next one, in their order. */
function readCommands(headline: string): string[] {
  const [, section = ''] = page.split(`${headline}\n`);
  const text = (section.split(/\n##/)[0] ?? '').replace(/\n +/g, ' ');
  return [...text.matchAll(/`(subledger [^`]+)`/g)].map(([, command = '']) => command);
}

/** A line as it is typed in a shell, where the data directory is `data`. */
function type(line: string): Promise<{ code: number; output: string }> {
  const PATH = `${path.join(root, 'bin')}:${process.env['PATH']}`;
  return new Promise((resolve) => {
    execFile('bash', ['-c', line], { cwd: root, env: { PATH } }, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr });
    });
  });
}

/** Types the lines of a section, each of which has a word of its own and ends as told. */
async function typeAll(
  headline: string,
  expected: readonly (readonly [act: string, code: number, output: RegExp])[],
): Promise<void> {
  const commands = readCommands(headline);
  expect(commands.map((command) => command.split(' ')[2])).toEqual(expected.map(([act]) => act));
  for (const [at, [, code, output]] of expected.entries()) {
    const command = commands[at] ?? '';
    expect([command, await type(command)]).toEqual([
      command,
      { code, output: expect.stringMatching(output) },
    ]);
  }
}

describe('the section "After a schema change" of docs/operations.md', () => {
  it('has a list to begin with', async () => {
    await typeAll('## After a schema change', [
      ['list', 0, /subscriptions\.\d+\.\w+ +1 +answering/],
    ]);
  });

  it('builds a read model once more, lets it answer, leads back and frees its memory', async () => {
    await typeAll('### To build a read model once more', [
      ['rebuild', 0, /the rebuild takes about/],
      ['show', 0, /generation 2/],
      ['verify', 0, /generation 2 \(verified\): 1 documents compared/],
      ['swap', 0, /generation 2 answers within moments/],
      ['rollback', 0, /generation 1 answers within moments/],
      ['drop', 0, /generation 2 is dropped/],
    ]);
  });

  it('finds out why the gate holds a release, and lets it answer', async () => {
    await standalone?.stop();
    standalone = undefined;
    const dataDir = path.join(root, 'data');
    const env = { PORT: '0', STOREFRONT_PORT: '0', DATA_DIR: dataDir, TMPDIR: root };
    next = spawn(process.execPath, [release.main, '--json'], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [next.stdout, next.stderr]) {
      stream?.on('data', (text: Buffer) => (nextSaid += text.toString()));
    }
    await eventually(() => nextSaid.includes('The gate holds'), { what: 'the gate' });
    await useCommandLine(release.commandLine);
    await typeAll('### A release that the gate holds', [
      ['show', 0, new RegExp(`list entry of ${subscriptionId}`)],
      ['verify', 1, new RegExp(`list entry of ${subscriptionId}`)],
      ['swap', 0, /generation 1 answers within moments/],
    ]);
    await eventually(() => nextSaid.includes('"ready":true'), { what: 'readiness' });
  });
});
