import type { LogLeaf } from '#sealing';
import { describe, expect, it } from 'vitest';
import { Erasures } from './erasures.js';
import type { AuditedStore } from './audited-store.js';

/** A store in which streams of players begin with these revisions. */
function makeStore(streams: Readonly<Record<string, readonly number[]>>): AuditedStore {
  const events = Object.entries(streams).flatMap(([name, revisions]) =>
    revisions.map((revision) => ({
      kind: 'event',
      event: {
        ...{ streamName: `sl.${name}`, revision, id: `${name}@${revision}`, type: 't' },
        ...{ data: Buffer.from('{}'), metadata: Buffer.from('{}'), position: '1' },
      },
    })),
  );
  async function* follow() {
    yield* await Promise.resolve(events);
    yield { kind: 'caught-up' };
  }
  return { names: { namespace: 'sl' }, verbatim: { follow } } as unknown as AuditedStore;
}

const erased = (stream: string, revision: number, position = '5') =>
  ({ stream, revision, position, type: 'player.erased.v1' }) as LogLeaf;

describe('leaves without events', () => {
  it('are those of an erased player, as many as the stream lacks before the erasure', async () => {
    const erasures = new Erasures();
    erasures.note(erased('player-aa.1', 2), 9, '');
    const store = makeStore({ 'player-aa.1': [2] });
    expect(await erasures.judge(store, [{ from: 3, to: 5 }])).toEqual({
      ...{ erased: [{ stream: 'player-aa.1', leaves: 2 }], unexplained: [] },
    });
    const { unexplained } = await erasures.judge(store, [
      { from: 1, to: 2 },
      { from: 3, to: 5 },
    ]);
    expect(unexplained).toEqual([{ from: 1, to: 2 }]);
  });

  it('are none of a player whose events are still there, nor behind an erasure', async () => {
    const erasures = new Erasures();
    erasures.note(erased('player-aa.1', 1), 9, '');
    const judge = async (present: readonly number[], from: number) =>
      (await erasures.judge(makeStore({ 'player-aa.1': present }), [{ from, to: from + 1 }]))
        .unexplained;
    expect(await judge([1], 3)).toEqual([]);
    expect(await judge([0, 1], 3)).toEqual([{ from: 3, to: 4 }]);
    expect(await judge([1], 10)).toEqual([{ from: 10, to: 11 }]);
  });

  it('are divided among several erasures, each for leaves before it', async () => {
    const erasures = new Erasures();
    erasures.note(erased('player-aa.1', 1), 5, '');
    erasures.note(erased('player-bb.2', 2), 20, '');
    erasures.note(erased('payment-cc.3', 7), 30, '');
    const missing = [
      { from: 2, to: 3 },
      { from: 10, to: 12 },
    ];
    const judged = await erasures.judge(makeStore({}), missing);
    expect(judged.unexplained).toEqual([]);
    expect(judged.erased).toEqual([
      { stream: 'player-bb.2', leaves: 2 },
      { stream: 'player-aa.1', leaves: 1 },
    ]);
    const more = [
      { from: 2, to: 5 },
      { from: 10, to: 12 },
    ];
    expect((await erasures.judge(makeStore({}), more)).unexplained).toEqual([{ from: 2, to: 4 }]);
  });

  it('may be some for each player of a copy, whose stream begins anew', async () => {
    const erasures = new Erasures();
    erasures.note(erased('player-aa.1', 0), 90, '5');
    const judge = (to: number) => erasures.judge(makeStore({}), [{ from: 0, to }]);
    expect((await judge(64)).unexplained).toEqual([]);
    expect((await judge(66)).unexplained).toEqual([{ from: 0, to: 2 }]);
  });
});
