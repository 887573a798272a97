import { expect, it } from 'vitest';
import { Fault } from '#platform';
import { EventPlaces } from './event-places.js';
import type { StoredTile } from './stored-seals.js';

const TILES = 20;
const hashes = Buffer.alloc(0);
const tiles: StoredTile[] = Array.from({ length: TILES }, (_, at) => ({
  hashes,
  last: { stream: `payment-00.pay_${at}`, revision: 0, eventId: `event-${at}` },
}));
const reader = { readTiles: async (_: number, from: number) => tiles.slice(from, from + 1) };

/** Places of a store that has the last events of these tiles alone; `ended` streams were ended for good. */
function createPlaces(present: readonly number[], ended: readonly number[] = []) {
  const readStream = async (name: string) => {
    const at = Number(name.split('_').at(-1));
    if (ended.includes(at)) throw new Fault('refused', 'ended', { retryable: false });
    const id = present.includes(at) ? `event-${at}` : 'another';
    return [{ id, position: String(at) }];
  };
  const store = { names: { namespace: 'sl' }, verbatim: { readStream } };
  return new EventPlaces(store as unknown as ConstructorParameters<typeof EventPlaces>[0], reader);
}

it('begins so far before a tile as a copy may have brought its events, and knows as many leaves', async () => {
  const all = tiles.map((_, at) => at);
  expect(await createPlaces(all).findStart(TILES)).toEqual({ after: '15', fromTile: 11 });
  expect(await createPlaces(all).findStart(5)).toEqual({ after: '0', fromTile: 0 });
  expect(await createPlaces(all).findStart(4)).toEqual({ after: '', fromTile: 0 });
});

it('goes back to an event that is still there, and at last to the beginning', async () => {
  expect(await createPlaces([9, 3]).findStart(TILES)).toEqual({ after: '9', fromTile: 5 });
  expect(await createPlaces([9], [10, 11, 12]).findStart(TILES)).toMatchObject({ after: '9' });
  expect(await createPlaces([]).findStart(TILES)).toEqual({ after: '', fromTile: 0 });
});

it('says that it does not know where to go on, where more leaves lie between than are remembered', async () => {
  await expect(createPlaces([9]).findStart(TILES, 10)).rejects.toThrow(/nothing was sealed/);
  expect(await createPlaces([9]).findStart(TILES, 11)).toMatchObject({ after: '9' });
});
