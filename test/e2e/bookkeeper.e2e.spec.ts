import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sealNow, SealReader } from '#sealing';
import { sleep } from '#platform';
import { parseVerifierKey } from '#seal';
import { GateFile } from '../chaos/kills/gate.js';
import { subledger } from '../cli/subledger.js';
import {
  makeKey,
  readLeafHashes,
  readSealedHashes,
  SealedLedger,
} from '../integration/sealing/support.js';
import { createWitness, isNotifiedOfAll, readNotices } from '../integration/sealing/witness.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
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

describe('a ledger that has never been sealed', () => {
  /** Several runs of full tiles are appended before all is read. */
  const EVENTS = 14_000;
  /** The parent hears of progress once a second. */
  const LONGER_THAN_A_SECOND_MS = 1_100;
  const TILES = { program: 'bookkeeper', text: 'seal.tile.v1' };

  const env = () => ({
    EVENTSTOREDB_URL: ledger.server.connectionString,
    SEAL_KEY_FILE: keyFile,
  });

  /** Stops before it appends tiles, for as long as a larger ledger would take to here. */
  async function untilLate(gate: GateFile): Promise<void> {
    await gate.untilReached(TILES);
    await sleep(LONGER_THAN_A_SECOND_MS);
  }

  /** It waits for the lease of another one, so that sealing begins when the gate is shut. */
  async function startStandby(gate: GateFile, adminPort: number) {
    const { layoutId } = await ledger.store.namespaces.require();
    const lease = `{sl:${layoutId}}:bookkeeper:lease`;
    await redis.command(`SET ${lease} another`);
    const more = { ...gate.env, ADMIN_PORT: String(adminPort) };
    const program = await startProgram('bookkeeper', { ...settings(), ...more });
    return { program, takeOver: () => redis.command(`DEL ${lease}`) };
  }

  it('is sealed from its first event at the start, and the parent learns how far that is', async () => {
    await ledger.add(EVENTS, 'old', 500);
    const gate = new GateFile(folder);
    const adminPort = await freePort();
    const { program, takeOver } = await startStandby(gate, adminPort);
    gate.shut(TILES, 'SIGSTOP');
    await takeOver();
    await untilLate(gate);
    gate.shut(TILES, 'SIGSTOP');
    program.resume();
    await untilLate(gate);
    const { stdout } = await subledger(['seal', 'status', '--json'], env());
    const { size, unattested } = JSON.parse(stdout) as { size: number; unattested: number };
    // The first checkpoint is due at once: all events before it are attested already.
    expect([size + unattested, unattested > 0]).toEqual([EVENTS, true]);
    gate.open();
    const told = program.nextLine();
    program.resume();
    const { doing, progress } = JSON.parse(await told) as { doing: string; progress: number };
    expect(doing).toBe('sealing the ledger');
    expect(progress).toBeGreaterThan(0);
    expect(progress).toBeLessThan(1);
    const isReady = async () => (await fetch(`http://127.0.0.1:${adminPort}/readyz`)).ok;
    await eventually(isReady, { what: 'readiness' });
    const reader = new SealReader(ledger.store);
    const isSigned = async () => (await reader.findLast())?.checkpoint.size === EVENTS;
    await eventually(isSigned, { what: 'a checkpoint of all events' });
    const metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
    expect(metrics).toContain(`\nsubledger_seal_leaves ${EVENTS}\n`);
    await program.stop();
    expect(await readSealedHashes(ledger.store)).toEqual(await readLeafHashes(ledger.store));
    expect((await subledger(['seal', 'verify'], env())).code).toBe(0);
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

describe('two bookkeepers', () => {
  it('notify a witness once of each checkpoint, their own or one of the command line', async () => {
    const { appId } = await createWitness(ledger.store);
    const start = (name: string) => startProgram('bookkeeper', settings({ INSTANCE_NAME: name }));
    const programs = await Promise.all([start('first'), start('second')]);
    for (const [round, isByHand] of [false, true, false].entries()) {
      await ledger.add(3, `witnessed${round}`);
      if (isByHand) await sealNow(ledger.sealing);
      const isNotified = async () =>
        (await readNotices(ledger.store, appId)).length > round &&
        (await isNotifiedOfAll(ledger.store, appId));
      await eventually(isNotified, { what: 'the notice of a checkpoint' });
    }
    await Promise.all(programs.map((program) => program.stop()));
    expect(await isNotifiedOfAll(ledger.store, appId)).toBe(true);
  });
});
