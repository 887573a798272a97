import calculateSlot from 'cluster-key-slot';
import { describe, expect, it } from 'vitest';
import { partitionTag } from '#projection-engine';
import { workerKeys } from './keys.js';

/** A text in braces must not lead a key elsewhere: endpoints, subjects and apps stand behind the tag. */
const PARTS = ['a{b}c', '}d{'] as const;

/** Every key that the scripts of a partition's worker may name. */
function listKeys(partition: number): string[] {
  const { layoutId: _, ...keys } = workerKeys('layout.0', partition);
  return Object.values(keys).map((key: string | ((...parts: string[]) => string)) =>
    typeof key === 'string' ? key : key(...PARTS),
  );
}

describe('the keys of a partition', () => {
  it('lie on one slot of a Redis Cluster, whatever they name', () => {
    const keys = listKeys(3);
    expect(keys.length).toBeGreaterThan(9);
    const slots = new Set(keys.map((key) => calculateSlot(key)));
    expect([...slots]).toEqual([calculateSlot(partitionTag('layout.0', 3))]);
  });

  it('lie elsewhere than those of others', () => {
    const slots = Array.from({ length: 16 }, (_, n) => calculateSlot(listKeys(n)[0] ?? ''));
    expect(new Set(slots).size).toBe(16);
  });
});
