import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { stopLeftoverRedis } from './redis.js';

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
