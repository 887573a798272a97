import { beforeEach, describe, expect, it } from 'vitest';
import { compareStores } from './compare-stores.js';
import { Copier } from './copier.js';
import type { CopyWindow } from './copy-windows.js';
import { EVENTS_BEHIND_RECORD } from './limits.js';
import { CopiedMemoryStore, copyAll, toPosition } from './spec-support/copied-memory-store.js';

const signal = new AbortController().signal;
let source: CopiedMemoryStore;
let target: CopiedMemoryStore;
beforeEach(() => {
  source = new CopiedMemoryStore();
  target = new CopiedMemoryStore();
});

const copy = () => copyAll(source, target);
const compare = (streamsAtOnce = 10) =>
  compareStores({
    ...{ source: source.ledger, target: target.ledger, namespace: 'sl', signal, streamsAtOnce },
    upTo: toPosition(source.end),
  });
const CUT = 'sl.player-3f.p_1';

describe('a stream whose first events are gone', () => {
  beforeEach(() => {
    for (let n = 0; n < 6; n += 1) source.add(CUT);
    source.add(`$$${CUT}`, '$metadata', { $tb: 4, $maxCount: 9 });
    source.scavenge(CUT, 4);
  });

  it('begins with the first one that is left, and so does what its metadata hide', async () => {
    await copy();
    expect(target.ids(CUT)).toEqual([`0 ${CUT}@4`, `1 ${CUT}@5`]);
    expect(target.read(`$$${CUT}`).map(({ data }) => String(data))).toEqual(['{"$maxCount":9}']);
    const { differing, truncatedStreams } = await compare();
    expect(differing).toBe(0);
    expect(truncatedStreams).toEqual([{ stream: CUT, fromRevision: 4 }]);
  });

  it('goes on behind what was copied, by a later run too', async () => {
    await copy();
    source.add(CUT);
    await copy();
    expect(target.ids(CUT)).toEqual([`0 ${CUT}@4`, `1 ${CUT}@5`, `2 ${CUT}@6`]);
  });

  // At the source's revision, an event that is there already would fit right behind the target's last one.
  it('has no event twice where a run ended before it had said how far it was', async () => {
    source = new CopiedMemoryStore();
    for (let n = 0; n < 3; n += 1) source.add(CUT);
    source.scavenge(CUT, 1);
    await copy();
    source.add(CUT);
    target.endsBeforeRecord = true;
    await expect(copy()).rejects.toThrow('killed');
    target.endsBeforeRecord = false;
    await copy();
    expect(target.ids(CUT)).toEqual([1, 2, 3].map((n, at) => `${at} ${CUT}@${n}`));
    expect((await compare()).differing).toBe(0);
  });
});

describe('what metadata of streams hide', () => {
  const DELETED = 2 ** 63;
  const hide = (store: CopiedMemoryStore, metadata: object) =>
    store.add(`$$${CUT}`, '$metadata', { $maxCount: 9, ...metadata });

  // Of both, all events are in the log, and their metadata are the same but for the `$tb`.
  it.each([
    ['more is hidden', { $tb: 3 }, { source: { count: 3 }, target: { count: 2 } }],
    ['less is hidden', { $tb: 1 }, { source: { count: 3 }, target: { count: 4 } }],
    ['nothing is hidden', {}, { source: { count: 3 }, target: { count: 5 } }],
    ['the stream is deleted', { $tb: DELETED }, { source: { count: 3 }, target: null }],
  ])('differs where %s in the target', async (_, metadata, difference) => {
    for (let n = 0; n < 6; n += 1) source.add(CUT);
    source.scavenge(CUT, 1);
    hide(source, { $tb: 3 });
    await copy();
    expect((await compare()).differing).toBe(0);
    hide(target, metadata);
    const { differing, differences } = await compare();
    expect([differing, differences]).toMatchObject([1, [{ stream: CUT, ...difference }]]);
  });

  it('differs where a stream is deleted in the source alone', async () => {
    source.add(CUT);
    hide(source, { $tb: DELETED });
    await copy();
    expect((await compare()).differing).toBe(0);
    hide(target, {});
    expect((await compare()).differences).toMatchObject([{ source: null, target: { count: 1 } }]);
  });
});

describe('a copy', () => {
  it('leaves a target alone in which the namespace is open, or another ledger was begun', async () => {
    source.add('sl.counter-00.a');
    target = new CopiedMemoryStore({ identity: { namespace: 'sl', storeId: 'store-2' } });
    await expect(copy()).rejects.toThrow(/is open in the target \(another ledger/);
    target = new CopiedMemoryStore();
    target.add('subledger_copy-sl', 'store_copy.advanced.v1', { storeId: 'store-3' });
    await expect(copy()).rejects.toThrow(/holds a copy of another ledger/);
    expect(target.log).toHaveLength(1);
  });

  it('refuses a target whose stream has an event of its own', async () => {
    source.add('sl.counter-00.a');
    source.add('sl.counter-00.a');
    await copy();
    Object.assign(target.add('sl.counter-00.a', 'own.v1'), { id: 'own' });
    source.add('sl.counter-00.a');
    await expect(copy()).rejects.toThrow(/sl\.counter-00\.a has other events than the source's/);
  });

  it('writes what belongs to an app behind all that stood before it, and before what came later', async () => {
    const names = ['subscription-00.a', 'subscription-01.b', 'app-02.c', 'subscription-03.d'];
    for (const name of names) source.add(`sl.${name}`);
    await copy();
    const written = target.log.map(({ streamName }) => streamName);
    expect(written.indexOf('sl.app-02.c')).toBe(2);
    expect(written.indexOf('sl.subscription-03.d')).toBe(3);
  });
});

describe('a copy beside programs', () => {
  it('pauses behind each window but the last, and so does the comparison of either store', async () => {
    const paused: number[] = [];
    const pace = {
      windowEvents: 4,
      pauseBehind: async ({ events }: CopyWindow) => void paused.push(events.length),
    };
    for (let n = 0; n < 10; n += 1) source.add(`sl.counter-00.${n}`);
    await copyAll(source, target, pace);
    expect(paused).toEqual([4, 4]);
    const upTo = toPosition(source.end);
    const there = { source: source.ledger, target: target.ledger };
    await compareStores({ ...there, namespace: 'sl', signal, upTo, pace });
    expect(paused).toEqual([4, 4, 4, 4, 4, 4]);
  });
});

describe('the records of a copy', () => {
  // An earlier run may have written the next events, in other windows: a record before them would say too little.
  it('begin behind all that an earlier run may have written, and exactly there', async () => {
    const records: string[] = [];
    const log = { advance: async (position: string) => void records.push(position) };
    const copier = new Copier({ source: source.ledger, target: target.ledger }, log);
    for (let from = 0; from < EVENTS_BEHIND_RECORD + 1_400; from += 700) {
      const events = Array.from({ length: 700 }, (_, n) => source.add(`sl.counter-00.${from + n}`));
      await copier.write({ events, upTo: events.at(-1)!.position, isCaughtUp: false });
    }
    expect(records[0]).toBe(toPosition(EVENTS_BEHIND_RECORD));
    expect(records.length).toBeGreaterThan(1);
  });
});

describe('the comparison', () => {
  beforeEach(async () => {
    for (let n = 0; n < 64; n += 1) {
      source.add(`sl.counter-${(n * 4).toString(16).padStart(2, '0')}.c_${n}`);
    }
    await copy();
  });

  it.each([5, 1_000])('looks at each stream once, %i at a time', async (streamsAtOnce) => {
    expect(await compare(streamsAtOnce)).toMatchObject({ streams: 64, events: 64, differing: 0 });
  });

  it.each([5, 1_000])('names what differs, %i at a time', async (streamsAtOnce) => {
    target.log = target.log.filter(({ streamName }) => streamName !== 'sl.counter-10.c_4');
    const other = target.log.find(({ streamName }) => streamName === 'sl.counter-80.c_32')!;
    Object.assign(other, { data: Buffer.from('{"n":2}') });
    const { differing, differences } = await compare(streamsAtOnce);
    expect(differing).toBe(2);
    expect(differences).toMatchObject([
      { stream: 'sl.counter-10.c_4', source: { count: 1 }, target: null },
      { stream: 'sl.counter-80.c_32', source: { count: 1 }, target: { count: 1 } },
    ]);
  });
});
