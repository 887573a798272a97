import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHECKPOINTS_STREAM, sealNow, tileStream } from '#sealing';
import { sleep } from '#platform';
import { parseVerifierKey } from '#seal';
import { subledger } from '../cli/subledger.js';
import {
  makeKey,
  readLeafHashes,
  readSealedHashes,
  SealedLedger,
  verifyCheckpoints,
} from '../integration/sealing/support.js';
import { eventually } from '../support/eventually.js';
import { runProgramToEnd, startProgram } from '../support/program.js';
import { type RunningRedis, startRedis } from '../support/redis.js';

let ledger: SealedLedger;
let redis: RunningRedis;
let folder: string;
let keyFile: string;

beforeAll(async () => {
  [ledger, redis] = await Promise.all([SealedLedger.start(), startRedis()]);
  folder = await mkdtemp(path.join(tmpdir(), 'subledger-bookkeeper-'));
  keyFile = path.join(folder, 'seal.key');
  await writeFile(keyFile, ledger.key);
});
afterAll(async () => {
  await Promise.all([ledger.remove(), redis.stop()]);
  await rm(folder, { recursive: true });
});

const settings = (more: Readonly<Record<string, string>> = {}) => ({
  ...{ EVENTSTOREDB_URL: ledger.server.connectionString, REDIS_URL: redis.url },
  ...{ SEAL_KEY_FILE: keyFile, SEAL_INTERVAL_SECONDS: '1', LOG_LEVEL: 'silent', ...more },
});
const startBookkeeper = (name: string) =>
  startProgram('bookkeeper', settings({ INSTANCE_NAME: name }));
const countSealed = async () =>
  ((await ledger.store.headRevision(tileStream(0))) + 1) * 256 +
  (await ledger.store.headRevision(CHECKPOINTS_STREAM));

describe('two bookkeepers', () => {
  const KILLS = 5;
  const EVENTS = 3_000;

  it('give each event one leaf, however often the one that seals is killed', async () => {
    let [first, second] = await Promise.all([startBookkeeper('first'), startBookkeeper('second')]);
    let events = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = await countSealed();
      const adding = ledger.add(EVENTS, `k${kill}n`, 50);
      events += EVENTS;
      // Killed between tiles, or behind the last of them and before the checkpoint, or right behind that.
      const isUnderWay = async () => (await countSealed()) > before;
      await eventually(isUnderWay, { what: 'a tile or a checkpoint', firstPollMs: 1 });
      await sleep(kill * 200);
      await (kill % 2 === 0 ? first : second).kill();
      await adding;
      if (kill % 2 === 0) first = await startBookkeeper('first');
      else second = await startBookkeeper('second');
    }
    await Promise.all([first.stop(), second.stop()]);
    await sealNow(ledger.sealing);
    const leaves = await readSealedHashes(ledger.store);
    expect(leaves).toHaveLength(events);
    expect(leaves).toEqual(await readLeafHashes(ledger.store));
    expect((await verifyCheckpoints(ledger.store, ledger.key)).at(-1)).toBe(events);
  });
});

describe('a bookkeeper', () => {
  it('ends with 78 and a sentence without a key, with none of ours, and with another one', async () => {
    const otherFile = path.join(folder, 'other.key');
    const noKeyFile = path.join(folder, 'no.key');
    await writeFile(otherFile, makeKey());
    await writeFile(noKeyFile, 'no key');
    await ledger.add(1, 'before');
    await sealNow(ledger.sealing);
    const cases = [
      ['', /SEAL_KEY_FILE is not set: .* subledger seal key new FILE\n$/],
      [path.join(folder, 'none.key'), /SEAL_KEY_FILE names a file that cannot be read: ENOENT/],
      [noKeyFile, /SEAL_KEY_FILE names a file that holds no Ed25519 key/],
      [otherFile, /SEAL_KEY_FILE holds another key than the one that signed the last checkpoint/],
    ] as const;
    for (const [file, sentence] of cases) {
      const ended = await runProgramToEnd('bookkeeper', settings({ SEAL_KEY_FILE: file }));
      expect(ended.stderr).toMatch(sentence);
      expect(ended.code).toBe(78);
      expect(ended.stderr.trim().split('\n')).toHaveLength(1);
    }
  });

  it('is given a key of the command line, which shows by what others check it', async () => {
    const file = path.join(folder, 'new.key');
    const env = { EVENTSTOREDB_URL: ledger.server.connectionString };
    expect((await subledger(['seal', 'key', 'new', file], env)).code).toBe(0);
    expect((await subledger(['seal', 'key', 'new', file], env)).stderr).toContain('EEXIST');
    const shown = await subledger(['seal', 'key', 'show', keyFile], env);
    const { storeId } = await ledger.store.namespaces.require();
    expect(parseVerifierKey(shown.stdout.trim()).name).toBe(`subledger/ledger/${storeId}`);
    const named = await subledger(['seal', 'key', 'show', file, '--origin', 'log.example'], {});
    expect(named.stdout).toMatch(/^log\.example\+[0-9a-f]{8}\+A[A-Za-z0-9+/]{43}\n$/);
  });
});
