import { serialize } from 'node:v8';
import { describe, expect, it } from 'vitest';
import { weigh } from './live-states.js';

describe('what is kept of a stream', () => {
  it.each([
    ['a player', { status: 'registered', sealedKey: 'k'.repeat(130), wasErased: false }],
    ['a long text', 'x'.repeat(10_000)],
    ['many ids', { endpointIds: Array.from({ length: 500 }, (_, n) => `whe_${n}_0123456789`) }],
    ['sets', { claimed: new Set(Array.from({ length: 500 }, (_, n) => `campaign-${n}`)) }],
    [
      'maps of objects',
      { claims: new Map(Array.from({ length: 500 }, (_, n) => [`item-${n}`, { at: n, of: [] }])) },
    ],
  ])('weighs about as much as V8 writes of it: %s', (_what, state) => {
    const share = weigh(state) / serialize(state).byteLength;
    expect(share).toBeGreaterThan(0.5);
    expect(share).toBeLessThan(2);
  });
});
