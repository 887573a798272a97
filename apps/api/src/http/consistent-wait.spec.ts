import { describe, expect, it } from '@jest/globals';
import { Partitions } from '#event-store';
import { planWait } from './consistent-wait.js';

const sixteen = new Partitions(16);

describe('a read with a token waits', () => {
  it('for its partition, where the token is about the same one, also about another bucket of it', () => {
    expect(planWait(sixteen, { bucket: '3f' }, '3f')).toEqual([3]);
    expect(planWait(sixteen, { bucket: '30' }, '3f')).toEqual([3]);
  });

  it('for nothing, where the token is about another partition', () => {
    expect(planWait(sixteen, { bucket: '40' }, '3f')).toEqual([]);
  });

  it('for its partition, where the token is about any', () => {
    expect(planWait(sixteen, { bucket: undefined }, 'ff')).toEqual([15]);
  });

  it('for all partitions, where it looks at all, whatever the token is about', () => {
    expect(planWait(sixteen, { bucket: '3f' }, undefined)).toEqual(sixteen.numbers);
    expect(planWait(sixteen, { bucket: undefined }, undefined)).toEqual(sixteen.numbers);
  });

  it('for the one partition that there is', () => {
    expect(planWait(new Partitions(1), { bucket: '00' }, 'ff')).toEqual([0]);
  });
});
