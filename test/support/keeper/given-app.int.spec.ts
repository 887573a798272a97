import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askForApp } from './given-app.js';

let folder: string;
let keeper: Server;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'subledger-given-app-'));
  const known = new WeakSet<Socket>();
  // It closes a connection that stood idle at the moment at which the next file asks.
  keeper = createServer(({ socket }, response) => {
    if (known.has(socket)) socket.destroy();
    else response.end('{}');
    known.add(socket);
  });
  const socketPath = path.join(folder, 'socket');
  await new Promise<void>((resolve) => keeper.listen(socketPath, resolve));
  // Jest gives each file an environment of its own.
  process.env['SUBLEDGER_TEST_KEEPER'] = socketPath;
});
afterAll(async () => {
  keeper.close();
  await rm(folder, { recursive: true });
});

describe('a file that asks for an app', () => {
  it('does so by a connection of its own, since the keeper may close the one of another file', async () => {
    for (let file = 1; file <= 3; file += 1) expect(await askForApp()).toEqual({});
  });
});
