import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { VerbatimEvent } from '#event-store';
import { formatVerifierKey, parseNote, readSigningKey, signNote } from '#seal';
import { exportSeals, type SealFindingKind, KnownKeys, verifySeals } from '#seal-audit';
import { GoVerifier } from '../../support/seal/go-verifier.js';
import { type Log, readLog, startAudited, WrittenLog } from './altered-ledger.js';
import { makeKey, type SealedLedger } from './support.js';

const INSTALLED_WITHIN_MS = 300_000;
const LEAVES = 606;

const folder = mkdtempSync(path.join(tmpdir(), 'subledger-altered-'));
let go: GoVerifier;
let ledger: SealedLedger;
let log: Log;
let vkey: string;
let altered: WrittenLog | undefined;
beforeAll(async () => {
  go = GoVerifier.build(folder);
  ledger = await startAudited();
  log = await readLog(ledger.store);
  const { storeId } = await ledger.store.namespaces.require();
  vkey = formatVerifierKey(readSigningKey(`test/ledger/${storeId}`, ledger.key));
}, INSTALLED_WITHIN_MS);
afterEach(async () => {
  await altered?.remove();
  altered = undefined;
});
afterAll(async () => {
  await ledger.remove();
  rmSync(folder, { recursive: true });
});

async function audit(changed: Log, name: string) {
  altered = await WrittenLog.write(changed);
  const { store } = altered;
  const verified = await verifySeals({ store, keys: new KnownKeys([vkey]) });
  const bundle = path.join(folder, name);
  const exported = await exportSeals(store, bundle);
  return { verified, exported, ...go.verify(vkey, bundle) };
}

const edit = (name: string, revision: number, change: (event: VerbatimEvent) => VerbatimEvent) =>
  log.map((event) =>
    event.streamName.endsWith(name) && event.revision === revision ? change(event) : event,
  );
const editJson = (event: VerbatimEvent, change: (data: Record<string, string>) => void) => {
  const data = JSON.parse(Buffer.from(event.data).toString()) as Record<string, string>;
  change(data);
  return { ...event, data: Buffer.from(JSON.stringify(data)) };
};
const flip = (bytes: Uint8Array) => {
  const copy = Buffer.from(bytes);
  copy[copy.length - 3]! ^= 1;
  return copy;
};
const without = (name: string, revision: number) =>
  log.filter((event) => !(event.streamName.endsWith(name) && event.revision === revision));
const find = (name: string, revision = 0) =>
  log.findIndex((event) => event.streamName.endsWith(name) && event.revision === revision);

it('finds a copy of the whole log right, and so does Go', async () => {
  const { verified, exported, ...foreign } = await audit(log, 'whole');
  expect(verified).toMatchObject({ size: LEAVES, events: LEAVES, unattested: 0, findings: [] });
  expect(exported).toMatchObject({ size: LEAVES, differences: 0, isForeign: false });
  expect(foreign.sentence).toBe(`All ${LEAVES} entries, their tiles and 1 checkpoints agree.`);
});

describe('an alteration of the stored log is named, and Go refuses its bundle:', () => {
  const swap = (first: number) => {
    const [left, right] = [log[first]!, log[first + 1]!];
    return [...log.slice(0, first), right, left, ...log.slice(first + 2)];
  };
  const insert = (at: number) => {
    const event = { ...log[at]!, id: crypto.randomUUID(), streamName: 'sl.payment-00.pay_new' };
    return [...log.slice(0, at), event, ...log.slice(at)];
  };
  const sign = (note: string) => {
    const { text } = parseNote(note);
    return signNote(text, [readSigningKey(text.split('\n')[0] ?? '', makeKey())]);
  };
  const truncate = () => {
    const sealed = log.filter(({ streamName }) => !streamName.includes('.seal_'));
    const lost = new Set(sealed.slice(-20));
    return log.filter((event) => !lost.has(event));
  };
  const rename = () =>
    log.map((event) =>
      event.streamName.endsWith('.pay_7')
        ? { ...event, streamName: event.streamName.replace('.pay_7', '.pay_7000') }
        : event,
    );

  it.each<[string, () => Log, SealFindingKind, string, number]>([
    [
      'a byte of data',
      () => edit('.pay_7', 0, (event) => ({ ...event, data: flip(event.data) })),
      'altered',
      'payment.initiated.v1) of payment-',
      1,
    ],
    [
      'metadata',
      () => edit('.pay_7', 1, (event) => editMetadata(event)),
      'altered',
      'stands in the place of leaf 310',
      1,
    ],
    ['an event removed', () => without('.pay_7', 1), 'missing', 'The leaf 310 has no event', 1],
    [
      'an event inserted',
      () => insert(find('.pay_9')),
      'inserted',
      'put in behind the event of leaf 11',
      1,
    ],
    [
      'neighbours swapped',
      () => swap(find('.pay_9')),
      'reordered',
      'behind the event of leaf 13',
      1,
    ],
    ['a stream renamed', rename, 'altered', '.pay_7000 is not as it was sealed', 2],
    [
      'a tile replaced',
      () =>
        edit('.0', 0, (event) =>
          editJson(event, (data) => (data['hashes'] = `AAAA${data['hashes']!.slice(4)}`)),
        ),
      'tile',
      'tiles 0 to 1 of level 0',
      1,
    ],
    [
      'another key',
      () =>
        edit('.ledger', 1, (event) =>
          editJson(event, (data) => (data['note'] = sign(data['note']!))),
        ),
      'checkpoint',
      'is not signed by a key that was given',
      1,
    ],
    ['a truncated log', truncate, 'missing', 'The log ends before them', 20],
    [
      'a stream cut off',
      () => without('.kept', 0),
      'missing',
      'The leaf 0 has no event, and no erasure',
      1,
    ],
  ])('%s', async (name, alter, kind, text, count) => {
    const changed = alter();
    expect(changed).not.toEqual(log);
    const { verified, isRight, sentence } = await audit(changed, name);
    expect(verified?.counts).toMatchObject({ [kind]: count });
    expect(verified?.findings.map((finding) => finding.text).join('\n')).toContain(text);
    expect([isRight, sentence]).toEqual([false, expect.stringMatching(/^Refused: /)]);
  });

  const editMetadata = (event: VerbatimEvent) => ({ ...event, metadata: flip(event.metadata) });
});

it('names seals that are not stored as they must be', async () => {
  const cut = edit('.0', 1, (event) => editJson(event, (data) => (data['hashes'] = 'AAAA')));
  altered = await WrittenLog.write(cut);
  const { store } = altered;
  const found = await verifySeals({ store, keys: new KnownKeys([vkey]) });
  expect(found?.findings[0]?.text).toContain('is no seal that this release can read');
});

it('names partial tiles of a checkpoint that are not those of its leaves', async () => {
  const rows = [Buffer.alloc(64).toString('base64')];
  const change = (event: VerbatimEvent) => editJson(event, (data) => Object.assign(data, { rows }));
  altered = await WrittenLog.write(edit('.ledger', 1, change));
  const { store } = altered;
  const found = await verifySeals({ store, keys: new KnownKeys([vkey]) });
  expect(found?.counts).toEqual({ checkpoint: 1 });
});
