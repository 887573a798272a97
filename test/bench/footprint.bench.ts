/**
 * What a subscription with twelve payments takes. The limit is the goal: a ratio above 1 is more than that.
 */
import { type BenchOptions, type BenchResult } from './benchmark.js';
import { measureStore } from './footprint-store.js';

export const description =
  'bytes that a subscription with twelve payments takes in the event store (at most 32 kB)';

const SUBSCRIPTIONS = 200;
const STORE_GOAL_BYTES = 32_000;

export async function run(_options: BenchOptions): Promise<BenchResult> {
  const { bytes, ...store } = await measureStore(SUBSCRIPTIONS);
  return { value: bytes, limit: STORE_GOAL_BYTES, unit: 'bytes', extra: { ...store } };
}
