import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LedgerStore, VerbatimEvent } from '#event-store';
import {
  checkProof,
  cosignNote,
  formatVerifierKey,
  parseVerifierKey,
  readSigningKey,
  type SigningKey,
} from '#seal';
import {
  exportSeals,
  KnownKeys,
  openHeld,
  proveEvents,
  readCosignedNote,
  verifySeals,
} from '#seal-audit';
import {
  CHECKPOINTS_STREAM,
  countUnsealed,
  sealNow,
  SealReader,
  toCosignatureEvent,
} from '#sealing';
import { GoVerifier } from '../../support/seal/go-verifier.js';
import { added } from '../event-store/support.js';
import { readLog, startAudited, WrittenLog } from './altered-ledger.js';
import { cutOff } from './erasing.js';
import { makeKey, type SealedLedger } from './support.js';

const INSTALLED_WITHIN_MS = 300_000;
/** A log that grows evenly needs them; any other one at most 40. */
const EVEN_LOG_READS = 10;

const folder = mkdtempSync(path.join(tmpdir(), 'subledger-audits-'));
let go: GoVerifier;
let ledger: SealedLedger;
let key: SigningKey;
let keys: KnownKeys;
beforeAll(() => {
  go = GoVerifier.build(folder);
}, INSTALLED_WITHIN_MS);
beforeEach(async () => {
  ledger = await startAudited();
  const { storeId } = await ledger.store.namespaces.require();
  key = readSigningKey(`test/ledger/${storeId}`, ledger.key);
  keys = new KnownKeys([formatVerifierKey(key)]);
});
afterEach(() => ledger.remove());
afterAll(() => rmSync(folder, { recursive: true }));

const verify = (store = ledger.store) => verifySeals({ store, keys });
const last = async (store = ledger.store) => {
  const found = await new SealReader(store).findLast();
  if (found === undefined) throw new Error('the ledger is not sealed');
  return found;
};
const readStream = (name: string) =>
  ledger.store.verbatim.readStream(ledger.store.names.toStored(name), { maxCount: 10 });
const collect = async (events: readonly VerbatimEvent[], store = ledger.store) => {
  const proved = [];
  for await (const each of proveEvents(store, await last(store), events)) proved.push(each);
  return proved;
};

/** Erases a player as the command line does, for good. */
const erase = (name: string, revision: number) => cutOff(ledger.store, name, revision);

describe('an audit', () => {
  it('takes leaves without events for those of erased players, and names them', async () => {
    const held = (await readStream('player-gone'))[0]!;
    await erase('player-gone', 1);
    expect((await readLog(ledger.store)).some(({ id }) => id === held.id)).toBe(false);
    const stream = expect.stringMatching(/^player-..\.gone$/) as string;
    expect(await verify()).toMatchObject({
      ...{ findings: [], erasedLeaves: 1, erased: [{ stream, leaves: 1 }], events: 605 },
    });
    const bundle = path.join(folder, 'erased');
    const exported = await exportSeals(ledger.store, bundle);
    expect(exported).toMatchObject({ differences: 0, erased: [{ stream, leaves: 1 }] });
    const { sentence } = go.verify(formatVerifierKey(key), bundle);
    expect(sentence).toContain('Of the entries 1 were erased');
  });

  it('does not take the erasure of one player for the lack of an event of another', async () => {
    await erase('player-gone', 1);
    await erase('player-kept', 1);
    const { counts, findings } = (await verify()) ?? {};
    expect(counts).toEqual({ missing: 1 });
    expect(findings?.[0]?.text).toContain('no erasure of a player accounts for it');
  });

  it('tells how many events are not attested, and finds nothing in them', async () => {
    for (const at of [0, 1, 2]) await ledger.store.append(`payment-pay_${at}`, 'any', [added()]);
    expect(await verify()).toMatchObject({ findings: [], unattested: 3, size: 606 });
    expect(await countUnsealed(ledger.store, await last())).toBe(3);
    await sealNow(ledger.sealing);
    expect(await countUnsealed(ledger.store, await last())).toBe(0);
    expect(await countUnsealed(ledger.store, undefined)).toBe(609);
  });

  it('takes a ledger that was copied from another store, within whose thousand events all may be reordered', async () => {
    const log = await readLog(ledger.store);
    const groups = log.map((event, at) => ({ event, bucket: event.streamName.split('.')[1], at }));
    const sealed = groups.filter(({ event }) => !/seal_|namespaces/.test(event.streamName));
    const others = groups.filter(({ event }) => /seal_/.test(event.streamName));
    const reordered = sealed.sort((left, right) => (left.bucket! < right.bucket! ? -1 : 1));
    const copy = await WrittenLog.write([...reordered, ...others].map(({ event }) => event));
    try {
      expect((await verify(copy.store))?.counts['reordered']).toBeGreaterThan(100);
      await copy.store.namespaces.moveIn(await ledger.store.namespaces.require());
      expect(await verify(copy.store)).toMatchObject({ findings: [], size: 606, unattested: 0 });
      const [event] = await copy.store.verbatim.readStream(
        ledger.store.names.toStored('payment-pay_40'),
        { maxCount: 1 },
      );
      expect((await collect([event!], copy.store))[0]?.proved).toBeDefined();
    } finally {
      await copy.remove();
    }
  });

  it('shows a ledger behind a checkpoint that an auditor holds as a fork, and another history, too', async () => {
    const before = await readLog(ledger.store);
    await ledger.store.append('payment-pay_0', 'any', [added()]);
    await sealNow(ledger.sealing);
    const held = openHeld((await last()).checkpoint.note, keys);
    expect(await verifySeals({ store: ledger.store, keys, held })).toMatchObject({ findings: [] });
    const restored = await WrittenLog.write(before);
    try {
      const { store } = restored;
      const behind = await verifySeals({ store, keys, held });
      expect(behind?.findings).toMatchObject([{ kind: 'fork' }]);
      expect(behind?.findings[0]?.text).toContain(
        '606 leaves, and the checkpoint to compare it with attests 607',
      );
      await store.append('payment-pay_0', 'any', [added(2), added(3)]);
      await sealNow({ ...ledger.sealing, store });
      const forked = await verifySeals({ store, keys, held });
      expect(forked?.findings).toMatchObject([{ kind: 'fork' }]);
      expect(forked?.findings[0]?.text).toContain('first 607 leaves are not those');
    } finally {
      await restored.remove();
    }
  });

  it('compares the signatures of others', async () => {
    const finance = readSigningKey('finance.example', makeKey(), 4);
    const other = readSigningKey('finance.example', makeKey(), 4);
    const { checkpoint } = await last();
    const line = cosignNote(checkpoint.note, finance, 1_700_000_000).slice(checkpoint.note.length);
    const event = toCosignatureEvent({ size: checkpoint.size, line });
    await ledger.store.append(CHECKPOINTS_STREAM, 'any', [event]);
    const both = [finance, other].map((each) => new KnownKeys([key, each].map(formatVerifierKey)));
    expect(await verifySeals({ store: ledger.store, keys: both[0]! })).toMatchObject({ total: 0 });
    const { counts } = (await verifySeals({ store: ledger.store, keys: both[1]! })) ?? {};
    expect(counts).toEqual({ cosignature: 1 });
    const note = await readCosignedNote(new SealReader(ledger.store), await last());
    expect(note).toBe(checkpoint.note + line);
  });
});

describe('a proof', () => {
  it('proves a payment of a player who was erased, before and after', async () => {
    const events = await readStream('payment-pay_0');
    const before = await collect(events);
    await erase('player-gone', 1);
    const after = await collect(events);
    expect(before.map(({ proved }) => proved?.leaf)).toEqual([3, 303, 605]);
    expect(after).toEqual(before);
    for (const { proved, eventId } of before) {
      const { line } = checkProof(proved?.text ?? '', [parseVerifierKey(formatVerifierKey(key))]);
      expect(line.toString()).toContain(` ${eventId} `);
    }
  });

  it('has none for events behind the last checkpoint, and for altered ones', async () => {
    await ledger.store.append('payment-pay_0', 'any', [added()]);
    const events = await readStream('payment-pay_0');
    const altered = { ...events[1]!, data: Buffer.from('{"amount":2}') };
    const proved = await collect([events[3]!, altered, events[2]!]);
    expect(proved.map((each) => each.proved?.leaf)).toEqual([undefined, undefined, 605]);
  });

  it('takes few reads in a ledger of many tiles', async () => {
    await ledger.add(12_000, 'n', 100);
    await sealNow(ledger.sealing);
    for (const at of [0, 5_000, 8_000, 11_900]) {
      const [event] = await readStream(`counter-n${at}`);
      const counted = countReads(ledger.store);
      const [proved] = await collect([event!], counted.store);
      expect(proved?.proved?.leaf).toBe(606 + at);
      expect(counted.reads()).toBeLessThanOrEqual(EVEN_LOG_READS);
    }
  });
});

describe('an export', () => {
  it('adds what is new to a folder that has some of it, and proves its former checkpoint', async () => {
    const bundle = path.join(folder, 'growing');
    await exportSeals(ledger.store, bundle);
    const older = path.join(folder, 'older');
    const former = path.join(bundle, 'checkpoint');
    copyFileSync(former, older);
    const first = statSync(path.join(bundle, 'tile/0/000')).mtimeMs;
    const firstEntries = statSync(path.join(bundle, 'tile/entries/000')).mtimeMs;
    await ledger.add(1_700, 'n');
    await sealNow(ledger.sealing);
    const exported = await exportSeals(ledger.store, bundle);
    expect(exported).toMatchObject({ formerSize: 606, size: 2_306, differences: 0 });
    expect(statSync(path.join(bundle, 'tile/0/000')).mtimeMs).toBe(first);
    expect(statSync(path.join(bundle, 'tile/entries/000')).mtimeMs).toBe(firstEntries);
    const checked = go.verify(formatVerifierKey(key), bundle, [older]);
    expect(checked.sentence).toBe('All 2306 entries, their tiles and 2 checkpoints agree.');
    const again = await exportSeals(ledger.store, bundle);
    expect(again).toMatchObject({ formerSize: 2_306, tiles: 0, differences: 0 });
    expect(go.verify(formatVerifierKey(key), bundle, [older]).isRight).toBe(true);
    expect(listFiles(bundle).filter((file) => file.endsWith('.part'))).toEqual([]);
  });

  it('keeps the lines of a partial tile whose player was erased since', async () => {
    const bundle = path.join(folder, 'kept-lines');
    await ledger.store.append('player-late', 'any', [added(1, 'player.registered.v1')]);
    await sealNow(ledger.sealing);
    await exportSeals(ledger.store, bundle);
    await ledger.store.append('player-late', 'any', [added(1, 'player.erased.v1')]);
    await erase('player-late', 1);
    await ledger.add(400, 'n');
    await sealNow(ledger.sealing);
    await exportSeals(ledger.store, bundle);
    const { sentence } = go.verify(formatVerifierKey(key), bundle);
    expect(sentence).toBe('All 1008 entries, their tiles and 1 checkpoints agree.');
  });

  it('writes nothing into the folder of another history', async () => {
    const bundle = path.join(folder, 'foreign');
    const before = await readLog(ledger.store);
    await ledger.store.append('payment-pay_0', 'any', [added()]);
    await sealNow(ledger.sealing);
    await exportSeals(ledger.store, bundle);
    const held = readFileSync(path.join(bundle, 'checkpoint'), 'utf8');
    const restored = await WrittenLog.write(before);
    try {
      expect(await exportSeals(restored.store, bundle)).toMatchObject({ isForeign: true });
      expect(readFileSync(path.join(bundle, 'checkpoint'), 'utf8')).toBe(held);
    } finally {
      await restored.remove();
    }
  });
});

function listFiles(below: string): string[] {
  return readdirSync(below, { recursive: true }).map(String);
}

function countReads(store: LedgerStore) {
  let reads = 0;
  const verbatim = {
    readStream: (...args: Parameters<LedgerStore['verbatim']['readStream']>) => {
      reads += 1;
      return store.verbatim.readStream(...args);
    },
  };
  return { store: { names: store.names, verbatim } as LedgerStore, reads: () => reads };
}
