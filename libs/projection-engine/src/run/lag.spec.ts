import { describe, expect, it } from 'vitest';
import { createLagMeter } from './lag.js';
import { LAG_SAMPLES } from '../limits.js';

const at = (position: number) => String(position).padStart(20, '0');

describe('the lag of read models', () => {
  it('is none at the head of the store', () => {
    expect(createLagMeter()(at(7), at(7), 1_000)).toEqual({ positions: 0, seconds: 0 });
  });

  it('grows with time as long as the oldest missing event is missing', () => {
    const measure = createLagMeter();
    expect(measure(at(1), at(5), 0)).toEqual({ positions: 4, seconds: 0 });
    expect(measure(at(2), at(9), 5_000)).toEqual({ positions: 7, seconds: 5 });
    // The head of the first poll is reached, that of the second is not.
    expect(measure(at(6), at(9), 10_000)).toEqual({ positions: 3, seconds: 5 });
    expect(measure(at(9), at(9), 15_000)).toEqual({ positions: 0, seconds: 0 });
  });

  it('is known before anything was read, and remembers no more than it should', () => {
    const measure = createLagMeter();
    for (let look = 0; look <= LAG_SAMPLES * 2; look += 1) measure('', at(look + 1), look * 1_000);
    expect(measure('', at(3_000), LAG_SAMPLES * 2_000)).toEqual({
      positions: 3_000,
      seconds: LAG_SAMPLES * 2,
    });
  });
});
