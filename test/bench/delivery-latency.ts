import type { DeliveryReceiver } from './delivery-receiver.js';
import type { DeliverySubjects } from './delivery-subjects.js';

/** Events that come at a pace, whatever becomes of them: one app's, and the endpoints that are watched. */
export interface Stream {
  readonly subjects: DeliverySubjects;
  /** Undefined paths are of those that never answer. */
  readonly paths: readonly string[];
}

export interface Latency {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/**
 * Appends events at a pace, to the streams in turns, for so many seconds, whether or not the earlier ones have
 * arrived. @returns how long it took from the append to the receipt at the watched endpoints.
 */
export async function measureLatency(
  receiver: DeliveryReceiver,
  streams: readonly Stream[],
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
): Promise<Latency> {
  const appendedAtMs = new Map<string, number>();
  const appends: Promise<void>[] = [];
  const startedAtMs = performance.now();
  for (let n = 0; n < perSecond * seconds; n += 1) {
    const waitMs = startedAtMs + (n * 1000) / perSecond - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    const { subjects, paths } = streams[n % streams.length] ?? { paths: [] };
    if (subjects === undefined) continue;
    const next = subjects.next();
    const atMs = performance.now();
    for (const path of paths) appendedAtMs.set(`${path} ${next.message}`, atMs);
    appends.push(subjects.append(next));
  }
  await Promise.all(appends);
  await receiver.untilAll([...appendedAtMs.keys()]);
  const tookMs = [...appendedAtMs].map(
    ([message, atMs]) => (receiver.arrivedAtMs.get(message) ?? Infinity) - atMs,
  );
  return summarize(tookMs);
}

function summarize(tookMs: readonly number[]): Latency {
  const sorted = [...tookMs].sort((a, b) => a - b);
  const at = (share: number) =>
    Number((sorted[Math.ceil(sorted.length * share) - 1] ?? 0).toFixed(1));
  return { p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) };
}
