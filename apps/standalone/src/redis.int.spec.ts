import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePorts } from './free-port.js';
import { redisProgram, stopLeftoverRedis } from './redis.js';
import { Supervisor } from './supervisor.js';

describe('the Redis that a killed standalone left behind', () => {
  let folder: string;
  let redis: ChildProcess;

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'subledger-redis-')));
    redis = await redisIn(folder);
  });

  afterEach(async () => {
    if (redis.exitCode === null && redis.kill('SIGKILL')) await once(redis, 'close');
    await rm(folder, { recursive: true });
  });

  it('is stopped, also when the folder is reached by another path', async () => {
    await writeFile(path.join(folder, 'redis.pid'), `${redis.pid}\n`);
    await symlink(folder, path.join(folder, 'link'));
    const ended = once(redis, 'close');
    await stopLeftoverRedis(path.join(folder, 'link'));
    expect(await ended).toEqual([0, null]);
  });

  it('is not taken for another Redis that got its number after a reboot', async () => {
    const other = await mkdtemp(path.join(tmpdir(), 'subledger-redis-'));
    await writeFile(path.join(other, 'redis.pid'), `${redis.pid}\n`);
    await stopLeftoverRedis(other);
    await rm(other, { recursive: true });
    expect([redis.exitCode, redis.signalCode]).toEqual([null, null]);
  });
});

describe('a Redis whose files are damaged', () => {
  let folder: string;
  const said: string[] = [];

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'subledger-redis-')));
    said.length = 0;
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  /** The arguments of Redis: a free port, as the standalone has it. */
  async function startAndStop(): Promise<void> {
    const supervisor = new Supervisor(
      (text) => said.push(text),
      () => undefined,
    );
    const [port] = await freePorts();
    await supervisor.start(redisProgram(folder, port, 'secret', path.join(folder, 'redis.log')));
    await supervisor.stop();
  }

  it.each(['.incr.aof', '.base.rdb', '.manifest'])(
    'starts empty when its %s is garbage, says so, and keeps the files',
    async (ending) => {
      await startAndStop();
      const kept = path.join(folder, 'appendonlydir');
      const name = (await readdir(kept)).find((file) => file.endsWith(ending)) ?? '';
      await writeFile(path.join(kept, name), 'garbage '.repeat(100));
      await startAndStop();
      const aside = (await readdir(folder)).find((file) => file.includes('.damaged-')) ?? '';
      expect(await readFile(path.join(folder, aside, name), 'utf8')).toContain('garbage');
      expect(said).toEqual([
        expect.stringMatching(/^The Redis did not start: .+ is rebuilt from the event store\. /),
      ]);
      expect(said[0]).toContain(path.join(folder, aside));
      said.length = 0;
      await startAndStop();
      expect(said).toEqual([]);
    },
  );
});

/** A Redis on a socket, which has changed into a folder. */
async function redisIn(folder: string): Promise<ChildProcess> {
  const options = ['--port', '0', '--unixsocket', 'redis.sock', '--dir', folder, '--save', ''];
  const child = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'ignore'] });
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout })
      .on('line', (line) => {
        if (line.includes('ready to accept connections')) resolve();
      })
      .once('close', () => reject(new Error('Redis did not start')));
  });
  return child;
}
