import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';

const LINE_BYTES = 400;
const PASSWORD = 'a-password-of-the-store';
/** A port at which no program listens: it is not for passing connections, and not for ordinary users. */
const UNUSED_ADDRESS = '127.0.0.1:1';

/** Real programs, started against services that are absent or refuse them (rules/running 7). */
describe('a program whose store or Redis is out of reach', () => {
  const children: ChildProcess[] = [];

  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  /** Starts a program. @returns the lines that it writes. */
  function start(name: string, env: Readonly<Record<string, string>>): string[] {
    const child = spawn(process.execPath, [path.resolve(`dist/programs/${name}.js`)], {
      env: {
        PATH: process.env['PATH'],
        PORT: '0',
        MASTER_KEY: Buffer.alloc(32).toString('base64'),
        REDIS_URL: `redis://:${PASSWORD}@${UNUSED_ADDRESS}`,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    const lines: string[] = [];
    for (const input of [child.stdout, child.stderr]) {
      createInterface({ input }).on('line', (line) => lines.push(line));
    }
    return lines;
  }

  /** Waits until it has complained. @returns all that it said by then. */
  async function waitForComplaint(lines: string[], about: string): Promise<string[]> {
    await eventually(() => lines.some((line) => line.includes(about)), {
      what: `a complaint about ${about}`,
    });
    return [...lines];
  }

  it.each([
    [
      'api',
      'no program listens',
      `esdb://admin:${PASSWORD}@${UNUSED_ADDRESS}?tls=false`,
      'ECONNREFUSED',
    ],
    [
      'worker',
      'the host has no address',
      `esdb://admin:${PASSWORD}@nowhere.invalid:2113?tls=false`,
      '',
    ],
  ])(
    'says so in one short line that names the setting and no password: the %s, where %s',
    async (name, _, url, why) => {
      const lines = start(name, { EVENTSTOREDB_URL: url });
      const said = await waitForComplaint(lines, 'EVENTSTOREDB_URL cannot be reached');
      const retries = said.filter((line) => line.includes('"level":40'));
      expect(retries.join()).toContain(why);
      expect(Math.max(...said.map((line) => line.length))).toBeLessThan(LINE_BYTES);
      expect(said.join()).not.toContain(PASSWORD);
    },
  );

  it('says the same of Redis', async () => {
    const lines = start('projector', { EVENTSTOREDB_URL: `esdb://${UNUSED_ADDRESS}?tls=false` });
    const said = await waitForComplaint(lines, 'Redis at REDIS_URL cannot be reached');
    expect(said.join()).toContain('ECONNREFUSED');
    expect(Math.max(...said.map((line) => line.length))).toBeLessThan(LINE_BYTES);
    expect(said.join()).not.toContain(PASSWORD);
  });
});
