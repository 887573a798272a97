import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../test/support/eventually.js';
import type { Program } from './child.js';
import { Supervisor } from './supervisor.js';

const WAIT = 'setInterval(() => undefined, 1000);';

describe('the supervisor', () => {
  let folder: string;
  let said: string[];
  let supervisor: Supervisor;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'subledger-supervisor-'));
    said = [];
    supervisor = new Supervisor((text) => said.push(text));
  });

  afterEach(async () => {
    supervisor.kill();
    await rm(folder, { recursive: true, force: true });
  });

  function program(script: string, changes: Partial<Program> = {}): Program {
    return {
      name: 'part',
      command: process.execPath,
      args: ['-e', script],
      logFile: path.join(folder, 'part.log'),
      isReady: (line) => (line === 'ready' ? {} : undefined),
      ...changes,
    };
  }

  it('stops a program that is not ready yet, and starts none afterwards', async () => {
    const started = supervisor.start(program(WAIT));
    const refused = expect(started).rejects.toThrow('The part did not start');
    await supervisor.stop();
    await refused;
    await expect(supervisor.start(program(WAIT))).rejects.toThrow('is stopping');
    expect(said).toEqual([]);
  });

  it('stops a program that is starting again', async () => {
    const pidFile = path.join(folder, 'pid');
    // The first run gets ready and dies; the second one leaves its number and waits.
    const script = `const fs = require('node:fs');
      const isFirst = !fs.existsSync('${pidFile}');
      fs.writeFileSync('${pidFile}', isFirst ? '' : String(process.pid));
      if (isFirst) console.log('ready');
      else ${WAIT}`;
    await supervisor.start(program(script));
    let pid = 0;
    await eventually(
      async () => {
        pid = Number(await readFile(pidFile, 'utf8').catch(() => ''));
        return pid > 0;
      },
      { what: 'the second start' },
    );
    await supervisor.stop();
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(said).toHaveLength(1);
  });

  it('names what keeps a program from being started', async () => {
    const missing = program('', { command: 'no-such-program' });
    await expect(supervisor.start(missing)).rejects.toThrow(
      'The part cannot be started: spawn no-such-program ENOENT.',
    );
  });

  it('lets a program run on when its log cannot be written', async () => {
    const script = `console.log('a line for the log'); ${WAIT}
      setInterval(() => console.log('ready'), 50);`;
    const full = program(script, {
      logFile: '/dev/full',
      isReady: (line) => (line === 'ready' && said.length > 0 ? {} : undefined),
    });
    expect(await supervisor.start(full)).toEqual({});
    expect(said).toEqual([expect.stringContaining('ENOSPC')]);
    await supervisor.stop();
  });
});
