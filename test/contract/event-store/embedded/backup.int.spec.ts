/** Backups are made while a store runs, hold all that was acknowledged before, and become stores again. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EventStoreDBClient } from '@eventstore/db-client';
import { startEventStore, StartRefused } from '#embedded-event-store';
import { holdsStore } from '#embedded-event-store/storage';
import { LogStore } from '../../../../libs/embedded-event-store/src/storage/log-store.js';
import { StoreProcess } from '../../../support/store-process.js';
import { runStoreCommandHere } from '../../../support/store-command-here.js';
import { runStoreCommand } from '../../../chaos/store-command.js';
import { collect, event, events } from '../subject.js';

/** In one event, whose bytes are damaged below. */
const MARK = Buffer.from('here-is-the-middle');
const BEFORE = 300;

let root: string;
const at = (name: string) => path.join(root, name);
const backUp = (name: string) => runStoreCommandHere('backup', at(name), '--data-dir', at('live'));
const restore = (from: string, to: string) =>
  runStoreCommandHere('restore', at(from), '--data-dir', at(to));
/** As a program of its own, with its own account of readers and writers. */
const backUpApart = (name: string) =>
  runStoreCommand(['backup', at(name), '--data-dir', at('live')]);
const restoreApart = (from: string, to: string) =>
  runStoreCommand(['restore', at(from), '--data-dir', at(to)]);

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'event-store-backup-'));
});
afterAll(async () => rm(root, { recursive: true, force: true }));

/** Runs a store while something is done with a client of it. */
async function withStore<Result>(
  name: string,
  act: (client: EventStoreDBClient) => Promise<Result>,
): Promise<Result> {
  const store = await StoreProcess.start(at(name));
  const client = EventStoreDBClient.connectionString(store.connectionString);
  try {
    return await act(client);
  } finally {
    await client.dispose();
    await store.end();
  }
}

async function readNumbers(client: EventStoreDBClient, stream: string): Promise<unknown[]> {
  const found = await collect(client.readStream(stream));
  return found.map((resolved) => (resolved.event?.data as { n: number }).n);
}

describe('a backup', () => {
  it('of a store that is written to has all that was acknowledged before, and nothing half', async () => {
    const acknowledged = await withStore('live', async (client) => {
      await client.appendToStream('marked', [event({ text: MARK.toString() })]);
      let written = 0;
      let isOver = false;
      const write = async () => {
        for (; !isOver; written += 1) {
          await client.appendToStream('numbers', [event({ n: written }), event({ n: written })]);
        }
      };
      const writing = write();
      while (written < BEFORE) await new Promise((resolve) => setTimeout(resolve, 10));
      const before = written;
      expect(await backUp('first')).toMatchObject({
        code: 0,
        said: expect.stringMatching(/is whole: [\d,]+ events in 3 streams\.$/) as unknown,
      });
      const after = written;
      isOver = true;
      await writing;
      expect(written).toBeGreaterThan(before);
      return [before, after] as const;
    });
    expect((await restore('first', 'restored')).code).toBe(0);
    await withStore('restored', async (client) => {
      const numbers = await readNumbers(client, 'numbers');
      const whole = Array.from({ length: numbers.length }, (_, n) => Math.floor(n / 2));
      expect(numbers).toEqual(whole);
      expect(numbers.length % 2).toBe(0);
      expect(numbers.length / 2).toBeGreaterThanOrEqual(acknowledged[0]);
      expect(numbers.length / 2).toBeLessThanOrEqual(acknowledged[1] + 1);
      const { nextExpectedRevision } = await client.appendToStream('numbers', events(1), {
        expectedRevision: BigInt(numbers.length - 1),
      });
      expect(nextExpectedRevision).toBe(BigInt(numbers.length));
    });
    expect((await runStoreCommandHere('verify', '--data-dir', at('restored'))).code).toBe(0);
  });

  it('of a stopped store cannot be started, and keeps no password', async () => {
    const { code, said } = await backUp('second');
    expect([code, said]).toEqual([0, expect.stringContaining(at('second'))]);
    expect((await readdir(at('second'))).sort()).toEqual([
      'backup.json',
      'events.mdb',
      'format.json',
    ]);
    await expect(startEventStore({ port: 0, dataDir: at('second') })).rejects.toThrow(StartRefused);
    expect(await readdir(at('second'))).not.toContain('access');
    const again = await runStoreCommandHere('backup', at('third'), '--data-dir', at('second'));
    expect(again).toMatchObject({ code: 1, said: expect.stringContaining('no event store') });
  });

  it('is made by one at a time in a directory', async () => {
    const both = await Promise.all([backUpApart('both'), backUpApart('both')]);
    expect(both.map(({ code }) => code).sort()).toEqual([0, 1]);
    const { said } = both.find(({ code }) => code === 1) ?? { said: '' };
    expect(said).toMatch(/is in use by another process|is not empty/);
    expect((await restore('both', 'from-both')).code).toBe(0);
  });

  it('says in one sentence that the disk is full, and is begun anew', async () => {
    const args = ['backup', at('full'), '--data-dir', at('live')];
    const full = await runStoreCommand(args, { fileSizeLimitKb: 16 });
    expect(full.code).toBe(1);
    expect(full.said).toMatch(/^The copy could not be finished: .+\.$/);
    expect((await backUp('full')).code).toBe(0);
  });

  it('that was killed keeps no pages from the store', async () => {
    const file = at('live/events.mdb');
    const reader = `
      const file = ${JSON.stringify(file)};
      const root = require('lmdb').open({ path: file, noSubdir: true, readOnly: true, maxDbs: 3 });
      root.get('any', { transaction: root.useReadTransaction() });
      console.log('reads');
      setInterval(() => undefined, 1000);`;
    const store = new LogStore(file);
    const child = spawn(process.execPath, ['-e', reader], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    expect(store.forgetDeadReaders()).toBe(0);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(store.forgetDeadReaders()).toBe(1);
    await store.close();
  });

  it('goes into a directory of its own, where an unfinished one may have been', async () => {
    expect(await backUp('second')).toMatchObject({
      code: 1,
      said: expect.stringMatching(/is not empty \(\w/) as unknown,
    });
    await backUp('third');
    // As a crash before its last act leaves it.
    await rename(at('third/events.mdb'), at('third/events.mdb.unfinished'));
    await writeFile(at('third/format.json.new'), '');
    expect((await restore('third', 'from-unfinished')).said).toContain('no finished backup');
    expect((await backUp('third')).code).toBe(0);
    expect((await restore('third', 'from-unfinished')).code).toBe(0);
  });
});

describe('a restore', () => {
  it('is refused where there is a store, and begun anew where one was interrupted', async () => {
    expect(await restore('second', 'live')).toMatchObject({
      code: 1,
      said: expect.stringContaining('holds an event store'),
    });
    // As a crash leaves them: before the last act, the events have another name.
    for (const left of [['events.mdb.unfinished'], ['events.mdb.unfinished', 'format.json']]) {
      await rm(at('cut'), { recursive: true, force: true });
      await mkdir(at('cut'));
      await writeFile(at('cut/events.mdb.unfinished'), 'a part');
      if (left.includes('format.json')) {
        await copyFile(at('second/format.json'), at('cut/format.json'));
        await expect(startEventStore({ port: 0, dataDir: at('cut') })).rejects.toThrow(
          'was interrupted',
        );
      }
      expect((await restore('second', 'cut')).code).toBe(0);
      expect(await readdir(at('cut'))).not.toContain('events.mdb.unfinished');
      await (await startEventStore({ port: 0, dataDir: at('cut') })).stop();
    }
  });

  it('never takes the place of a store that was started beside an interrupted one', async () => {
    await withStore('beside', (client) => client.appendToStream('kept', events(2)));
    await writeFile(at('beside/events.mdb.unfinished'), 'a part');
    expect(await restore('second', 'beside')).toMatchObject({
      code: 1,
      said: expect.stringContaining('holds an event store'),
    });
    await rm(at('beside/events.mdb.unfinished'), { force: true });
    const kept = await withStore('beside', (client) => collect(client.readStream('kept')));
    expect(kept).toHaveLength(2);
  });

  it('of a backup that may only be read makes a store that its owner alone may read', async () => {
    await chmod(at('second/events.mdb'), 0o444);
    expect((await restoreApart('second', 'from-read-only')).code).toBe(0);
    expect((await stat(at('from-read-only/events.mdb'))).mode & 0o777).toBe(0o600);
    await chmod(at('second/events.mdb'), 0o600);
  });

  it('of a damaged backup, or of one that lacks events, makes no store', async () => {
    const file = at('second/events.mdb');
    const whole = await readFile(file);
    const damaged = Buffer.from(whole);
    for (let from = damaged.indexOf(MARK); from >= 0; from = damaged.indexOf(MARK, from + 1)) {
      damaged.writeUInt8(damaged.readUInt8(from) ^ 1, from);
    }
    await writeFile(file, damaged);
    const { code, said } = await restoreApart('second', 'from-damaged');
    expect([code, said]).toEqual([65, expect.stringContaining('stream marked')]);
    await writeFile(file, whole);
    await writeFile(at('second/backup.json'), JSON.stringify({ events: 1_000_000 }));
    const fewer = await restore('second', 'from-damaged');
    expect([fewer.code, fewer.said]).toEqual([65, expect.stringContaining('should have 1000000')]);
    expect(holdsStore(at('from-damaged'))).toBe(false);
  });

  it.each([
    [['restore'], 2],
    [['backup', 'a', 'b'], 2],
    [['backup', '--unknown'], 2],
    [['restore', '--help'], 0],
  ])('%j ends with %i', async (args, code) => {
    expect((await runStoreCommand(args)).code).toBe(code);
  });
});
