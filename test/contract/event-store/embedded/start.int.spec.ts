/** The embedded event store as a program: how it starts, refuses to start, and stops. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import net from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EventStoreDBClient } from '@eventstore/db-client';
import { startEventStore, StartRefused } from '#embedded-event-store';
import { spawnStore, StoreProcess } from '../../../support/store-process.js';
import { event } from '../subject.js';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'event-store-start-'));
});
afterEach(async () => rm(dataDir, { recursive: true, force: true }));

/** Its ready line. */
async function whatItPrints(options: readonly string[]): Promise<string> {
  const child = spawnStore(['--port', '0', '--data-dir', dataDir, ...options]);
  const [text] = (await once(child.stdout!, 'data')) as [Buffer];
  child.kill('SIGTERM');
  await once(child, 'close');
  return text.toString();
}

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

async function runToEnd(...args: string[]): Promise<Ended> {
  const child = spawnStore(args);
  let out = '';
  let err = '';
  child.stdout!.on('data', (text: Buffer) => (out += text.toString()));
  child.stderr!.on('data', (text: Buffer) => (err += text.toString()));
  await once(child, 'close');
  return { code: child.exitCode, out, err };
}

/** Starts in the data directory and expects one sentence and an exit code that is not 0. */
async function refusal(port = '0', directory = dataDir, exitCode = 1): Promise<string> {
  const { code, out, err } = await runToEnd('--port', port, '--data-dir', directory);
  expect(code).toBe(exitCode);
  expect(out).toBe('');
  expect(err.trim().split('\n')).toHaveLength(1);
  return err;
}

/** A refusal whose exit code means that starting again does not help. */
const refusalOfDamage = () => refusal('0', dataDir, 65);

describe('the program', () => {
  it('explains itself', async () => {
    const { code, out } = await runToEnd('--help');
    expect(code).toBe(0);
    expect(out).toContain('--data-dir DIR');
  });

  it('refuses bad usage', async () => {
    const { code, err } = await runToEnd('--unknown');
    expect(code).toBe(2);
    expect(err).toContain('See --help');
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('is ready, and stops well on %s', async (signal) => {
    const store = await StoreProcess.start(dataDir);
    expect(store.connectionString).toMatch(
      new RegExp(`^esdb://admin:[\\w-]{43}@127\\.0\\.0\\.1:${store.port}\\?tls=true&tlsCAFile=/`),
    );
    expect(await store.end(signal)).toBe(0);
  });

  it('prints how to connect, and where the password is', async () => {
    const shown = await whatItPrints([]);
    expect(shown).toMatch(/^esdb:\/\/admin:PASSWORD@127\.0\.0\.1:\d+\?tls=true&tlsCAFile=\//);
    expect(shown).toContain(path.join(dataDir, 'access', 'password'));
    const file = path.join(dataDir, 'connection-string');
    expect(shown).toContain(`EVENTSTOREDB_URL="$(cat ${file})"`);
    const password = (await readFile(path.join(dataDir, 'access', 'password'), 'utf8')).trim();
    expect(shown).not.toContain(password);
    expect(await readFile(file, 'utf8')).toContain(`esdb://admin:${password}@`);
  });

  it('is insecure where that is asked for, and warns of it', async () => {
    const shown = await whatItPrints(['--insecure']);
    expect(shown).toMatch(/^esdb:\/\/127\.0\.0\.1:\d+\?tls=false\n/);
    expect(shown).toContain('INSECURE');
  });

  it('stops when its parent is gone, if it was asked to', async () => {
    const child = spawnStore(['--port', '0', '--data-dir', dataDir, '--exit-with-parent']);
    await once(child.stdout!, 'data');
    child.stdin!.end();
    await once(child, 'close');
    expect(child.exitCode).toBe(0);
  });

  it('refuses a port that is taken', async () => {
    const taken = net.createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as net.AddressInfo;
    expect(await refusal(String(port))).toContain(`Port ${port} is taken`);
    taken.close();
  });

  it('answers on an admin port what it is and that it is live, as a node does', async () => {
    const args = ['--port', '0', '--data-dir', dataDir, '--json', '--admin-port', '0'];
    const child = spawnStore(args);
    const [line] = (await once(child.stdout!, 'data')) as [Buffer];
    const { adminPort } = JSON.parse(line.toString()) as { adminPort: number };
    const ask = async (path: string, method = 'GET'): Promise<Response> =>
      fetch(`http://127.0.0.1:${adminPort}${path}`, { method });
    const info = await ask('/info');
    expect(info.headers.get('content-type')).toContain('application/json');
    expect(await info.json()).toEqual({
      esVersion: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      state: 'leader',
      features: { projections: false, userManagement: false, atomPub: false },
      authentication: { type: 'internal', properties: null },
    });
    const statuses = await Promise.all([
      ask('/health/live'),
      ask('/health/live', 'HEAD'),
      ask('/health/live', 'POST'),
      ask('/streams/a'),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([204, 204, 405, 404]);
    child.kill('SIGTERM');
    await once(child, 'close');
    expect(child.exitCode).toBe(0);
  });

  it('listens on loopback only', async () => {
    const store = await StoreProcess.start(dataDir);
    const others = Object.values(networkInterfaces())
      .flat()
      .filter((address) => address !== undefined && !address.internal && address.family === 'IPv4');
    for (const address of others) {
      const socket = net.connect(store.port, address!.address);
      const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
      expect(error.code).toBe('ECONNREFUSED');
    }
    await store.end();
  });
});

describe('the data directory', () => {
  it('is refused while another process uses it', async () => {
    const store = await StoreProcess.start(dataDir);
    expect(await refusal()).toContain(`in use by another process (pid ${store.child.pid})`);
    await store.end();
  });

  it('is refused while this process uses it', async () => {
    const store = await startEventStore({ port: 0, dataDir });
    await expect(startEventStore({ port: 0, dataDir })).rejects.toBeInstanceOf(StartRefused);
    await store.stop();
    await (await startEventStore({ port: 0, dataDir })).stop();
  });

  it('is free again after a crash', async () => {
    const store = await StoreProcess.start(dataDir);
    await store.kill();
    const next = await StoreProcess.start(dataDir);
    expect(await next.end()).toBe(0);
  });

  it('is free again when the pid in its lock belongs to another program by now', async () => {
    const lock = JSON.stringify({ pid: process.pid, started: 'long ago' });
    await writeFile(path.join(dataDir, 'event-store.lock'), lock);
    const store = await StoreProcess.start(dataDir);
    expect(await store.end()).toBe(0);
  });

  it('is refused if it can not be written to', async () => {
    expect(await refusal('0', '/dev/null/store')).toContain("can't be written to");
  });

  it.each([1, 2, 3, 5])('is refused if its format has another version: %i', async (version) => {
    const format = { format: 'subledger-event-store', version };
    await writeFile(path.join(dataDir, 'format.json'), JSON.stringify(format));
    const refused = startEventStore({ port: 0, dataDir });
    await expect(refused).rejects.toThrow(`format version ${version}`);
  });

  it('is refused if its events are missing, cut off, or something else', async () => {
    await (await StoreProcess.start(dataDir)).end();
    const file = path.join(dataDir, 'events.mdb');
    const whole = await readFile(file);
    for (const length of [0, 5, 4096, 8192, whole.length - 4096]) {
      await truncate(file, length);
      expect(await refusalOfDamage()).toContain('is damaged');
      await writeFile(file, whole);
    }
    await writeFile(file, Buffer.alloc(whole.length, 'x'));
    expect(await refusalOfDamage()).toContain('is damaged');
    await writeFile(file, whole);
    expect(await (await StoreProcess.start(dataDir)).end()).toBe(0);
  });

  it('is refused if it has events and lost its format', async () => {
    const store = await StoreProcess.start(dataDir);
    const client = EventStoreDBClient.connectionString(store.connectionString);
    await client.appendToStream('kept-1', [event()]);
    await client.dispose();
    await store.end();
    await rm(path.join(dataDir, 'format.json'));
    expect(await refusalOfDamage()).toContain('format.json is missing');
  });
});

describe('a store that can no longer write', () => {
  it('ends loudly, and what it acknowledged is there', async () => {
    // A limit on the size of files is the plainest full disk there is.
    const store = await StoreProcess.start(dataDir, 0, { fileSizeLimitKb: 2048 });
    const client = EventStoreDBClient.connectionString(store.connectionString);
    let complaint = '';
    store.child.stderr!.on('data', (text: Buffer) => (complaint += text.toString()));
    const ended = once(store.child, 'exit');
    const acknowledged: string[] = [];
    const fill = async (): Promise<void> => {
      for (;;) {
        // A text that repeats itself would be packed, and fill nothing.
        const next = event({ text: randomBytes(15_000).toString('base64') });
        await client.appendToStream('full-1', [next]);
        acknowledged.push(next.id);
      }
    };
    await expect(fill()).rejects.toBeDefined();
    await ended;
    expect(store.child.exitCode).toBe(70);
    expect(complaint).toContain('could not write to its disk');
    const again = await StoreProcess.start(dataDir);
    const reader = EventStoreDBClient.connectionString(again.connectionString);
    const found: string[] = [];
    for await (const read of reader.readStream('full-1')) found.push(read.event!.id);
    expect(found.slice(0, acknowledged.length)).toEqual(acknowledged);
    expect(acknowledged.length).toBeGreaterThan(10);
    await reader.dispose();
    await again.end();
  });
});
