import { deepStrictEqual } from 'node:assert/strict';

/**
 * Compares plain data. Values from `structuredClone` are of another realm inside Jest, where the comparison of Node.js
 * refuses them for that alone.
 */
export function assertSame(actual: unknown, expected: unknown, what?: string): void {
  deepStrictEqual(copy(actual), copy(expected), what);
}

function copy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return Array.from(value, copy);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, copy(each)]));
}
