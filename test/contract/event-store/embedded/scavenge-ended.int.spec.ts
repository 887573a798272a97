/** A scavenge that does not come to its end, or meets a backup, harms neither. */
import { copyFileSync, renameSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EventStoreDBClient } from '@eventstore/db-client';
import { takeBackup } from '../../../../libs/embedded-event-store/src/backup/take-backup.js';
import { ProgressBar } from '../../../../libs/embedded-event-store/src/progress-bar.js';
import { StoreProcess } from '../../../support/store-process.js';
import { runStoreCommand } from '../../../chaos/store-command.js';
import { collect, events, uniqueStream } from '../subject.js';
import { readEnd, startScavenge } from './scavenges.js';

const STREAM = uniqueStream();
/** From just begun to just ended, with this many events. */
const DELAYS_MS = [30, 120];

let root: string;
let store: StoreProcess;
let client: EventStoreDBClient;
const at = (name: string) => path.join(root, name);

async function start(): Promise<void> {
  store = await StoreProcess.start(at('store'));
  client = EventStoreDBClient.connectionString(store.connectionString);
}

async function end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  await client.dispose();
  await store.end(signal);
}

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'event-store-scavenge-'));
  await start();
  await client.appendToStream(STREAM, events(4_000));
  await client.setStreamMetadata(STREAM, { truncateBefore: 3_000 });
});
afterEach(async () => {
  await end('SIGKILL');
  await rm(root, { recursive: true, force: true });
});

describe('a scavenge', () => {
  it('is nothing, or whole, where the process is killed', async () => {
    const before = await collect(client.readStream(STREAM));
    for (const delayMs of DELAYS_MS) {
      await startScavenge(store);
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      await end('SIGKILL');
      await start();
      const drafts = (await readdir(at('store'))).filter((name) => name.includes('scavenging'));
      expect(drafts).toEqual([]);
      expect(await collect(client.readStream(STREAM))).toEqual(before);
    }
    await end();
    expect((await runStoreCommand(['verify', '--data-dir', at('store')])).code).toBe(0);
    await start();
  });

  it('ends as stopped when the store stops', async () => {
    const { id } = await startScavenge(store);
    await end();
    await start();
    expect(await readEnd(client, id)).toMatchObject({ result: 'Stopped' });
  });

  it('lets no backup pass for whole whose file it replaced meanwhile', async () => {
    const file = path.join(at('store'), 'events.mdb');
    class ReplacesFile extends ProgressBar {
      /** Called when the copy is made, and not yet looked at. */
      override clear(): void {
        copyFileSync(file, at('other'));
        renameSync(at('other'), file);
      }
    }
    const backup = takeBackup(at('store'), at('backup'), new ReplacesFile(process.stderr));
    await expect(backup).rejects.toThrow('The store was scavenged meanwhile');
    expect((await readdir(at('backup'))).includes('backup.json')).toBe(false);
  });
});
