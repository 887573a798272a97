import type { Position } from '#domain/event';
import { LAG_SAMPLES } from '../limits.js';

export interface Lag {
  /** Between the watermark and the store's head: events in the embedded store, bytes of log in EventStoreDB. */
  readonly positions: number;
  /** For how long the store has had something that the read models have not. */
  readonly seconds: number;
}

/**
 * Measures how far read models are behind. Events tell the time of their app's clock, which may be a
 * test clock: so it is remembered when the store was seen to stand where.
 */
export function createLagMeter(): (watermark: Position, head: Position, nowMs: number) => Lag {
  let samples: { head: Position; atMs: number }[] = [];
  return (watermark, head, nowMs) => {
    samples = samples.filter((sample) => sample.head > watermark);
    if (head <= watermark) return { positions: 0, seconds: 0 };
    if (samples.length < LAG_SAMPLES) samples.push({ head, atMs: nowMs });
    const positions = Number(BigInt(head) - BigInt(watermark === '' ? 0 : watermark));
    return { positions, seconds: (nowMs - (samples[0]?.atMs ?? nowMs)) / 1_000 };
  };
}
