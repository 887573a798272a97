import { describe, expect, it } from 'vitest';
import type { LedgerStore, Scavenge } from '#event-store';
import { readErasure } from './erasures.js';
import { startScavenge } from './start-scavenge.js';

const PLAYER = 'ab'.repeat(16);
const MEMBERS = ['n1:1', 'n2:1', 'n3:1'];
const CUT_AT = '00000000000000000010';
const [BEFORE, SINCE] = ['00000000000000000009', '00000000000000000011'];

const scavenge = (node: string, more: Partial<Scavenge> = {}): Scavenge => ({
  ...{ id: `of ${node}`, node, startedPosition: SINCE, startedAt: 'x', endedAt: 'y' },
  ...{ result: 'Success', error: undefined, ...more },
});

let started = 0;

/** As much of a store as an erasure is judged by: its player's stream is cut off. */
function storeWith(list: readonly Scavenge[] | undefined, members = MEMBERS): LedgerStore {
  const erased = {
    ...{ type: 'player.erased.v1', streamName: `player-${PLAYER}`, revision: 1 },
    ...{ data: { erasedAt: 'x' }, metadata: { appId: 'app_1' } },
  };
  return {
    readStream: async function* () {
      yield erased;
    },
    truncations: { find: async () => ({ before: 1, position: CUT_AT }) },
    scavenges: {
      list: async () => list,
      nodes: async () => members,
      start: async () => `scavenge ${(started += 1)}`,
    },
  } as unknown as LedgerStore;
}

const read = (...nodes: string[]) =>
  readErasure(storeWith(nodes.map((node) => scavenge(node))), PLAYER);

/** rules/storage 14 and 16 */
describe('an erasure in a cluster', () => {
  it('is done when each node has scavenged since, and names those that are left', async () => {
    expect(await read()).toMatchObject({
      ...{ due: 'scavenge', nodes: { done: [], left: 3, among: MEMBERS } },
    });
    expect(await read('n1:1', 'n2:1')).toMatchObject({
      ...{ due: 'scavenge', isScavenging: false },
      nodes: { done: ['n1:1', 'n2:1'], left: 1, among: ['n3:1'] },
    });
    expect(await read('n1:1', 'n2:1', 'n3:1')).toMatchObject({ due: 'nothing' });
  });

  it('counts a node once, and only what began behind the truncation and succeeded', async () => {
    expect(await read('n1:1', 'n1:1', 'n2:1')).toMatchObject({ nodes: { left: 1 } });
    const others: Partial<Scavenge>[] = [{ startedPosition: BEFORE }, { result: 'Failed' }];
    for (const other of others) {
      const list = [scavenge('n1:1'), scavenge('n2:1'), scavenge('n3:1', other)];
      expect(await readErasure(storeWith(list), PLAYER)).toMatchObject({
        ...{ due: 'scavenge', nodes: { among: ['n3:1'] } },
      });
    }
  });

  it('counts nodes that name themselves otherwise than they announce themselves to clients', async () => {
    expect(await read('10.0.0.1:1', '10.0.0.2:1')).toMatchObject({
      ...{ due: 'scavenge', nodes: { left: 1, among: MEMBERS } },
    });
    expect(await read('10.0.0.1:1', '10.0.0.2:1', '10.0.0.3:1')).toMatchObject({ due: 'nothing' });
  });

  it('counts no node that was replaced, where nodes go by the names that they announce', async () => {
    expect(await read('n1:1', 'n2:1', 'gone:1')).toMatchObject({
      ...{ due: 'scavenge', nodes: { left: 1, among: ['n3:1'] } },
    });
    // That they do is known from any scavenge, also where none of these has scavenged since.
    const list = ['gone:1', 'away:1', 'lost:1'].map((node) => scavenge(node));
    const before = scavenge('n1:1', { startedPosition: BEFORE });
    expect(await readErasure(storeWith([...list, before]), PLAYER)).toMatchObject({
      ...{ due: 'scavenge', nodes: { left: 3, among: MEMBERS } },
    });
  });

  it('of one node is done when that has scavenged, whatever it calls itself', async () => {
    const store = (list: readonly Scavenge[]) => storeWith(list, ['n1:1']);
    expect(await readErasure(store([scavenge('0.0.0.0:1')]), PLAYER)).toMatchObject({
      due: 'nothing',
    });
    expect(await readErasure(store([]), PLAYER)).toMatchObject({ due: 'scavenge' });
  });

  it('is due for sure where the user may not read of scavenges', async () => {
    expect(await readErasure(storeWith(undefined), PLAYER)).toMatchObject({ due: 'scavenge' });
  });

  it('starts no further scavenge where one node has scavenged since', async () => {
    started = 0;
    expect(await startScavenge(storeWith([scavenge('n1:1')]), PLAYER)).toBe(true);
    expect(started).toBe(0);
  });
});
