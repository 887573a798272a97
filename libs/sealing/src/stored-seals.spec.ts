import { describe, expect, it } from 'vitest';
import type { EventToAppend, VerbatimEvent } from '#event-store';
import {
  readSealEvent,
  readTileEvent,
  toCheckpointEvent,
  toCosignatureEvent,
  toTileEvent,
} from './stored-seals.js';

const last = { stream: 'payment-3f.pay_1', revision: 4, eventId: 'event-1' };
const tile = { hashes: Buffer.alloc(256 * 32, 7), last };
const rows = [Buffer.alloc(32, 2)];
const checkpoint = { size: 258, note: 'a note\n', tail: Buffer.alloc(64, 1), rows, last };

const SEALED_AT = '2026-11-29T10:00:00.000Z';

function stored(event: EventToAppend, data: unknown = event.data): VerbatimEvent {
  const metadata = Buffer.from(JSON.stringify({ ...event.metadata, occurredAt: SEALED_AT }));
  const bytes = { data: Buffer.from(JSON.stringify(data)), metadata };
  const place = { streamName: 'sl.seals', revision: 3, position: '1', createdAtMs: 0 };
  return { ...event, ...bytes, ...place, contentType: 'application/json' };
}

describe('the stored form of seals', () => {
  it('reads back as it was', () => {
    expect(readTileEvent(stored(toTileEvent(0, 5, tile)))).toEqual(tile);
    const upper = { hashes: tile.hashes, last: undefined };
    expect(readTileEvent(stored(toTileEvent(1, 5, upper)))).toEqual(upper);
    const place = {
      revision: 3,
      position: '1',
      storedAt: '1970-01-01T00:00:00.000Z',
      sealedAt: SEALED_AT,
    };
    const found = { kind: 'checkpoint', ...place, checkpoint };
    expect(readSealEvent(stored(toCheckpointEvent(checkpoint)))).toEqual(found);
    const cosignature = { size: 258, line: '— auditor AAAA\n' };
    const read = readSealEvent(stored(toCosignatureEvent(cosignature)));
    expect(read).toEqual({ kind: 'cosignature', ...place, cosignature });
  });

  it('gives the same seal the same id, and another one another', () => {
    expect(toTileEvent(0, 5, tile).id).toBe(toTileEvent(0, 5, tile).id);
    expect(toTileEvent(0, 6, tile).id).not.toBe(toTileEvent(0, 5, tile).id);
    const other = { ...checkpoint, note: 'another note\n' };
    expect(toCheckpointEvent(other).id).not.toBe(toCheckpointEvent(checkpoint).id);
  });

  it.each([
    ['a tile that is cut off', readTileEvent, toTileEvent(0, 5, tile), { hashes: 'AAAA' }],
    ['a tail of another length', readSealEvent, toCheckpointEvent(checkpoint), { tail: '' }],
    ['rows of other lengths', readSealEvent, toCheckpointEvent(checkpoint), { rows: [''] }],
    ['a size that is none', readSealEvent, toCheckpointEvent(checkpoint), { size: '258' }],
    ['an event without a stream', readSealEvent, toCheckpointEvent(checkpoint), { last: {} }],
    ['a tile among checkpoints', readSealEvent, toTileEvent(0, 5, tile), {}],
  ])('refuses %s', (_, read, event, change) => {
    const altered = stored(event, { ...(event.data as object), ...change });
    expect(() => read(altered)).toThrow(/is no seal that this release can read/);
  });
});
