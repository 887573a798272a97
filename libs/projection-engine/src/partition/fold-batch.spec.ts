import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { COMMAND_RECORDED, type RecordedEvent } from '#domain/event';
import { eventAt } from '../../../domain/src/event/spec-support/recorded-event.js';
import type { Document, Projection } from '../define/index.js';
import { foldBatch } from './fold-batch.js';

interface Tally {
  readonly sum: number;
  readonly list: string;
}

/** Sums, and is found in the list of its sum's parity and in one by time. */
const tally: Projection<Tally> = {
  name: 'tally',
  version: 1,
  categories: ['tally'],
  documents: { of: 'stream' },
  eventTypes: ['tally.added.v1', 'tally.spoilt.v1'],
  initialState: { sum: 0, list: 'even' },
  project: (before, event) => {
    if (event.type === COMMAND_RECORDED) throw new Error('no projection is given these');
    if (event.type === 'tally.spoilt.v1') throw new Error('spoilt');
    const sum = before.sum + (event.data as { amount: number }).amount;
    return { sum, list: sum % 2 === 0 ? 'even' : 'odd' };
  },
  indexes: (id, { sum, list }) => {
    if (sum > 1_000) throw new Error('too much to list');
    return [
      { index: ['parity', list], member: id, score: 0 },
      { index: ['time'], member: id, score: sum < 0 ? NaN : sum },
    ];
  },
  queries: () => ({}),
};

const event = (
  revision: number,
  amount = 1,
  type = 'tally.added.v1',
  more: Partial<RecordedEvent> = {},
): RecordedEvent =>
  eventAt(revision, {
    ...{ type, data: { amount }, streamName: 'tally-1' },
    metadata: { occurredAt: '2026-01-31T10:00:00.000Z' },
    ...more,
  });

/** The change of a batch in the one document that it is about. */
const fold = (before: Document<unknown> | undefined, ...events: RecordedEvent[]) => {
  const documents = new Map(before === undefined ? [] : [['1', before]]);
  const { changes, parked } = foldBatch(tally, documents, events);
  const [change = { document: undefined, added: [], removed: [] }] = changes;
  return { ...change, parked: parked[0] };
};

describe('folding events of a stream into its document', () => {
  it('gives the document at the last revision, and the lists it is in', () => {
    const change = fold(undefined, event(0), event(1), event(2));
    expect(change.document).toMatchObject({
      state: { sum: 3 },
      revision: 2,
      position: '00000000000000000003',
    });
    expect(change.added).toHaveLength(2);
    expect(change.removed).toEqual([]);
    expect(change.parked).toBeUndefined();
  });

  it('changes only the lists that are others than before', () => {
    const { document } = fold(undefined, event(0));
    const odd = { index: ['parity', 'odd'], member: '1', score: 0 };
    const even = { index: ['parity', 'even'], member: '1', score: 0 };
    const time = { index: ['time'], member: '1', score: 2 };
    // Another score moves a member, and does not remove it.
    expect(fold(document, event(1))).toMatchObject({ added: [even, time], removed: [odd] });
    expect(fold(document, event(1, 0, COMMAND_RECORDED))).toMatchObject({
      document: { revision: 1, state: { sum: 1 } },
      added: [],
      removed: [],
    });
  });

  it('applied twice is applied once', () => {
    const { document } = fold(undefined, event(0), event(1));
    expect(fold(document, event(0), event(1)).document).toBeUndefined();
    expect(fold(document, event(1), event(2)).document).toMatchObject({ state: { sum: 3 } });
  });

  it('gives the same document however the events are cut into batches', () => {
    const amounts = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(amounts, fc.array(fc.nat(20)), (given, cuts) => {
        const events = given.map((amount, revision) => event(revision, amount));
        const edges = [0, ...cuts, events.length].sort((left, right) => left - right);
        let document: Document<unknown> | undefined;
        const lists = new Map<string, number>();
        for (const [at, edge] of edges.entries()) {
          const change = fold(document, ...events.slice(edges[at - 1] ?? 0, edge));
          document = change.document ?? document;
          for (const { index } of change.removed) lists.delete(index.join());
          for (const { index, score } of change.added) lists.set(index.join(), score);
        }
        const whole = fold(undefined, ...events);
        expect(document).toEqual(whole.document);
        const expected = whole.added.map(({ index, score }) => [index.join(), score] as const);
        expect([...lists].sort()).toEqual([...expected].sort());
      }),
    );
  });

  it.each([
    ['an unknown type', event(1, 1, 'tally.paused.v1'), /unknown/],
    ['an event that its projection does not bear', event(1, 1, 'tally.spoilt.v1'), /spoilt/],
    ['an event behind a gap', event(2), /revision 1 is missing/],
  ])('keeps what came before %s, and parks the stream there', (_, unfit, reason) => {
    const change = fold(undefined, event(0), unfit, event(3));
    expect(change.document).toMatchObject({ revision: 0 });
    expect(change.parked).toMatchObject({
      streamName: 'tally-1',
      revision: unfit.revision,
      type: unfit.type,
      reason: expect.stringMatching(reason),
    });
  });

  it.each([
    ['throws', 2_000],
    ['has no place in a list by time', -1],
  ])('parks a stream whose listing %s, and changes nothing', (_, amount) => {
    expect(fold(undefined, event(0, amount))).toMatchObject({
      document: undefined,
      added: [],
      parked: { revision: 0 },
    });
  });

  it('keeps what came before an event that cannot be listed, and parks the stream there', () => {
    expect(fold(undefined, event(0), event(1, 2_000), event(2))).toMatchObject({
      document: { revision: 0, state: { sum: 1 } },
      parked: { revision: 1 },
    });
  });

  it('does not let a stream that is parked hold up another one', () => {
    const other = event(0, 5, 'tally.added.v1', { streamName: 'tally-2' });
    const { changes, parked } = foldBatch(tally, new Map(), [event(1), other]);
    expect(changes.map(({ id }) => id)).toEqual(['2']);
    expect(parked.map(({ streamName }) => streamName)).toEqual(['tally-1']);
  });
});

/** One document for each day, from the streams of two categories. */
const byDay: Projection<Tally> = {
  ...tally,
  name: 'by-day',
  categories: ['tally', 'bonus'],
  eventTypes: ['tally.added.v1', 'bonus.given.v1'],
  ignoredTypes: ['tally.spoilt.v1'],
  documents: {
    of: 'key',
    key: ({ metadata, data }) => {
      const { amount } = data as { amount: number };
      return amount === 0 ? undefined : [metadata.occurredAt.slice(0, 10)];
    },
    merge: (parts) => ({ sum: parts.reduce((total, { sum }) => total + sum, 0), list: '' }),
  },
};
const DAY = '2026-01-31';
const bonus = (position: number, amount: number) =>
  event(position - 1, amount, 'bonus.given.v1', { streamName: 'bonus-1', revision: 0 });
const foldDay = (
  before: Document<unknown> | undefined,
  events: readonly RecordedEvent[],
  wereHeldBack = false,
) => {
  const documents = new Map(before === undefined ? [] : [[DAY, before]]);
  return foldBatch(byDay, documents, events, wereHeldBack);
};

describe('folding events of several streams into one document', () => {
  it('takes them in the order of the store, and each of them once', () => {
    const { changes } = foldDay(undefined, [event(0), bonus(2, 10), event(2)]);
    expect(changes).toHaveLength(1);
    const [change] = changes;
    expect(change).toMatchObject({ id: DAY, document: { state: { sum: 12 }, revision: 2 } });
    expect(foldDay(change?.document, [bonus(2, 10), event(2)]).changes).toEqual([]);
  });

  it('leaves out what has no key, what it does not count, and notes of commands', () => {
    const spoilt = event(1, 1, 'tally.spoilt.v1');
    const { changes, parked } = foldDay(undefined, [
      event(0, 0),
      spoilt,
      event(2, 1, COMMAND_RECORDED),
    ]);
    expect([changes, parked]).toEqual([[], []]);
  });

  it('parks one stream, and counts the others on', () => {
    const unknown = event(0, 1, 'tally.paused.v1');
    const { changes, parked } = foldDay(undefined, [unknown, bonus(2, 10), event(2)]);
    expect(changes[0]?.document.state).toMatchObject({ sum: 10 });
    expect(parked).toHaveLength(1);
  });

  it('takes in what was held back after others have gone on', () => {
    const [ahead] = foldDay(undefined, [bonus(9, 10)]).changes;
    expect(foldDay(ahead?.document, [event(0)]).changes).toEqual([]);
    const [late] = foldDay(ahead?.document, [event(0)], true).changes;
    expect(late?.document).toEqual({
      state: { sum: 11, list: 'odd' },
      revision: 1,
      position: '00000000000000000009',
    });
  });
});
