import { mkdir, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { logVerbosity, setLogVerbosity } from '@grpc/grpc-js';
import { startEventStore, StartRefused } from '#embedded-event-store';

// One of these tests is about a port that is taken, which grpc-js would print as well.
setLogVerbosity(logVerbosity.NONE);

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'event-store-directory-'));
});
afterEach(async () => rm(dataDir, { recursive: true, force: true }));

async function startAndStop(directory = dataDir): Promise<void> {
  await (await startEventStore({ port: 0, dataDir: directory })).stop();
}

async function refusal(): Promise<string> {
  const error = await startAndStop().then(
    () => undefined,
    (refused: unknown) => refused,
  );
  expect(error).toBeInstanceOf(StartRefused);
  return (error as StartRefused).message;
}

it('is made with all that leads to it', async () => {
  const nested = path.join(dataDir, 'a/b/c');
  await startAndStop(nested);
  expect((await readdir(nested)).sort()).toEqual([
    'access',
    'connection-string',
    'events.mdb',
    'events.mdb-lock',
    'format.json',
  ]);
});

it.each([['nonsense'], ['{}'], ['null'], ['{"format":"other","version":1}']])(
  'is refused if its format is %s',
  async (text) => {
    await writeFile(path.join(dataDir, 'format.json'), text);
    expect(await refusal()).toContain('is damaged');
  },
);

it('is taken over if it was never finished', async () => {
  await startAndStop();
  await rm(path.join(dataDir, 'format.json'));
  await startAndStop();
  await rm(path.join(dataDir, 'format.json'));
  await truncate(path.join(dataDir, 'events.mdb'), 0);
  await startAndStop();
});

it('may hold what is not ours', async () => {
  await mkdir(path.join(dataDir, 'lost+found'));
  await startAndStop();
});

it('is given back when the port is refused', async () => {
  const other = await mkdtemp(path.join(tmpdir(), 'event-store-directory-'));
  const taken = await startEventStore({ port: 0, dataDir: other });
  const refused = startEventStore({ port: taken.port, dataDir });
  await expect(refused).rejects.toBeInstanceOf(StartRefused);
  await startAndStop();
  await taken.stop();
  await rm(other, { recursive: true });
});

it.each(['', 'not a lock', '{"pid":"x"}'])(
  'is free if its lock is unreadable: "%s"',
  async (text) => {
    await writeFile(path.join(dataDir, 'event-store.lock'), text);
    await startAndStop();
  },
);
