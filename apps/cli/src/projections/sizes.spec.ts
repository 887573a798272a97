import { describe, expect, it } from 'vitest';
import { sayBytes, sayCount, sayDuration } from './sizes.js';

describe('sizes for people', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1_234, '1.2 kB'],
    [99_960, '100 kB'],
    [999_499, '999 kB'],
    [999_500, '1.0 MB'],
    [12_345_678, '12.3 MB'],
    [5_000_000_000, '5.0 GB'],
    [7e15, '7000 TB'],
  ])('%d bytes are %s', (bytes, said) => {
    expect(sayBytes(bytes)).toBe(said);
  });

  it.each([
    [0, '0 s'],
    [0.123, '0.1 s'],
    [59.6, '60 s'],
    [240, '4 min'],
    [10_800, '3 h'],
    [259_200, '3 d'],
  ])('%d seconds are %s', (seconds, said) => {
    expect(sayDuration(seconds)).toBe(said);
  });

  it('counts have their thousands apart', () => {
    expect(sayCount(1_234_567.4)).toBe('1,234,567');
  });
});
