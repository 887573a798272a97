import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../../test/support/eventually.js';
import type { Program } from './child.js';
import { Supervisor } from './supervisor.js';

const WAIT = 'setInterval(() => undefined, 1000);';

describe('the supervisor', () => {
  let folder: string;
  let said: string[];
  let given: string[];
  let supervisor: Supervisor;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'subledger-supervisor-'));
    said = [];
    given = [];
    supervisor = new Supervisor(
      (text) => said.push(text),
      (reason) => given.push(reason),
    );
  });

  afterEach(async () => {
    supervisor.kill();
    await rm(folder, { recursive: true, force: true });
  });

  function program(script: string, changes: Partial<Program> = {}): Program {
    return {
      name: 'part',
      layer: 0,
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

  it('waits for a program that says how far it is, and for no silent one', async () => {
    const shown: number[] = [];
    supervisor = new Supervisor(
      (text) => said.push(text),
      (reason) => given.push(reason),
      ({ progress }) => shown.push(progress),
    );
    const changes = {
      readyLimitMs: 1_000,
      progressIn: (line: string) =>
        line.startsWith('at ') ? { doing: 'working', progress: Number(line.slice(3)) } : undefined,
    };
    const slow = `let at = 0;
      setInterval(() => console.log((at += 1) < 6 ? 'at ' + at : 'ready'), 400);`;
    await supervisor.start(program(slow, changes));
    expect(shown).toEqual([1, 2, 3, 4, 5]);
    await expect(supervisor.start(program(WAIT, changes))).rejects.toThrow('not ready within 1 s');
  });

  it('waits for a program that waits for an operator, and says why, until its start goes on', async () => {
    const changes = {
      readyLimitMs: 500,
      obstaclesIn: (line: string) =>
        line.startsWith('waits') ? line.split(' ').slice(1) : undefined,
    };
    const held = `console.log('waits for-a for-b'); setTimeout(() => console.log('ready'), 1200);`;
    await supervisor.start(program(held, changes));
    expect(said).toEqual(['for-a', 'for-b']);
    const silent = `console.log('waits for-c'); console.log('waits'); ${WAIT}`;
    const refused = supervisor.start(program(silent, changes));
    await expect(refused).rejects.toThrow('not ready within 0.5 s');
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

  it('stops programs before those that they stand on, whichever started first', async () => {
    const file = path.join(folder, 'stopped');
    const script = (name: string) => `process.on('SIGTERM', () => {
        require('node:fs').appendFileSync('${file}', '${name} '); process.exit(0);
      }); console.log('ready'); ${WAIT}`;
    for (const layer of [2, 0, 1]) {
      await supervisor.start(program(script(`${layer}`), { name: `part ${layer}`, layer }));
    }
    await supervisor.stop();
    expect(await readFile(file, 'utf8')).toBe('2 1 0 ');
  });

  it('gives a program nothing of our environment but what everybody needs', async () => {
    const file = path.join(folder, 'environment');
    const script = `require('node:fs').writeFileSync('${file}', JSON.stringify(process.env));
      console.log('ready'); ${WAIT}`;
    process.env['MASTER_KEY'] = 'not for everybody';
    await supervisor.start(program(script, { env: { OWN: 'its own' } }));
    delete process.env['MASTER_KEY'];
    const received = JSON.parse(await readFile(file, 'utf8')) as Record<string, string>;
    expect(received).toMatchObject({ OWN: 'its own', PATH: process.env['PATH'] });
    expect(Object.keys(received)).not.toContain('MASTER_KEY');
  });

  it('starts no more what ends because its data is damaged, and says why', async () => {
    const script = `console.log('ready');
      setTimeout(() => { console.error('The data is damaged.'); process.exit(65); }, 50);`;
    await supervisor.start(program(script));
    await eventually(() => given.length > 0, { what: 'giving up' });
    expect([given, said]).toEqual([['The data is damaged.'], []]);
  });

  it('gives up on what crashes again and again, but not on what is killed, or met a full disk', async () => {
    const counter = (name: string) => path.join(folder, `${name}.count`);
    const starts = async (name: string) =>
      (await readFile(counter(name), 'utf8').catch(() => '')).length;
    const dying = (name: string, signal: string, words = '') => `const fs = require('node:fs');
      fs.appendFileSync('${counter(name)}', 'x'); console.log('ready'); console.error('${words}');
      if (fs.readFileSync('${counter(name)}', 'utf8').length > 5) ${WAIT}
      else setTimeout(() => process.kill(process.pid, '${signal}'), 20);`;
    const isPassing = (words: string) => words.includes('No space left');
    const start = async (name: string, signal: string, words?: string) =>
      supervisor.start(
        program(dying(name, signal, words), { name, isPassing, advice: 'Look at it.' }),
      );
    await start('killed', 'SIGKILL');
    await start('full', 'SIGABRT', 'No space left on device');
    for (const name of ['killed', 'full']) {
      await eventually(async () => (await starts(name)) > 5, { what: `6 starts of ${name}` });
    }
    expect(given).toEqual([]);
    await start('crashing', 'SIGBUS', 'no more words');
    await eventually(() => given.length > 0, { what: 'giving up' });
    expect(given).toEqual(['The crashing crashed 5 times in a row (SIGBUS). Look at it.']);
  });

  it('starts a program without what it kept when it does not start with it', async () => {
    const kept = path.join(folder, 'kept');
    await writeFile(kept, '');
    const needs = (file: string) => `if (require('node:fs').existsSync('${file}')) {
        console.error('garbage'); process.exit(1);
      } console.log('ready'); ${WAIT}`;
    const undone: string[] = [];
    const setAside = async () => {
      await rm(kept);
      return { notice: 'It is gone.', undo: async () => void undone.push('undone') };
    };
    await supervisor.start(program(needs(kept), { setAside }));
    expect(said).toEqual(['The part did not start: garbage It is gone.']);
    await writeFile(kept, '');
    const hopeless = program(needs(folder), { name: 'hopeless', setAside });
    await expect(supervisor.start(hopeless)).rejects.toThrow('The hopeless did not start: garbage');
    expect(undone).toEqual(['undone']);
  });

  it('puts back what was kept when a stop comes while it is moved away', async () => {
    const undone: string[] = [];
    const setAside = async () => {
      await supervisor.stop();
      return { notice: 'It is gone.', undo: async () => void undone.push('undone') };
    };
    const failing = program("console.error('garbage'); process.exit(1)", { setAside });
    await expect(supervisor.start(failing)).rejects.toThrow('The part did not start: garbage');
    expect([undone, said]).toEqual([['undone'], []]);
  });

  it.each([
    ...['SIGKILL', 'SIGTERM', 'SIGINT'].map(
      (name) => `process.kill(process.pid, '${name}'); ${WAIT}`,
    ),
    'process.exit(0)',
  ])('leaves what was kept when a program has to end at its start: %s', async (script) => {
    const moved: string[] = [];
    const setAside = async () => {
      moved.push('moved');
      return { notice: 'It is gone.', undo: async () => undefined };
    };
    await expect(supervisor.start(program(script, { setAside }))).rejects.toThrow('did not start');
    expect([moved, said]).toEqual([[], []]);
  });

  it('lets a program run on when its log cannot be written, which comes back by itself', async () => {
    const file = path.join(folder, 'part.log');
    await symlink('/dev/full', file);
    const script = `setInterval(() => console.log('a line for the log'), 20);
      setTimeout(() => console.log('ready'), 50); ${WAIT}`;
    await supervisor.start(program(script));
    await eventually(() => said.length > 0, { what: 'the full disk' });
    expect(said).toEqual([expect.stringContaining('ENOSPC')]);
    await rm(file);
    await eventually(() => said.length > 1, { what: 'the log, again' });
    expect(said[1]).toContain(`${file} is written again`);
    await eventually(async () => (await readFile(file, 'utf8')).includes('a line for the log'));
    await supervisor.stop();
  });
});
