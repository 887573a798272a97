import { describe, expect, it } from '@jest/globals';
import { shareOfPlaces } from './places.js';

describe('the places of a partition', () => {
  it('are its share of all, and never too few', () => {
    const shares = [1, 2, 16, 64].map((count) => shareOfPlaces(64, { count }));
    expect(shares).toEqual([64, 32, 16, 16]);
  });
});
