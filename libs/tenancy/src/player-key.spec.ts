import { describe, expect, it } from 'vitest';
import { PlayerKey } from './player-key.js';

const KEY_BYTES = 32;

describe('the key of a player', () => {
  it('takes the memory of a key, and keeps nothing else alive that was read with it', () => {
    const read = Buffer.from(Buffer.alloc(KEY_BYTES, 7).toString('base64'), 'base64');
    // Node cuts short Buffers out of long ones.
    expect(read.buffer.byteLength).toBeGreaterThan(KEY_BYTES);
    const key = new PlayerKey('app_1', 'player', read);
    expect(key['key'].buffer.byteLength).toBe(KEY_BYTES);
    expect(key.encode()).toBe(read.toString('base64'));
  });
});
