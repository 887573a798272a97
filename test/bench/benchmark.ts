import { loadavg } from 'node:os';
import { forEachConcurrently } from '#platform';

/** The options of a benchmark. Counts are for those benchmarks that say so in their description. */
export interface BenchOptions {
  /** How many events to load before sizes are read; a benchmark has its own default. */
  readonly events?: number;
  /** How many entries of books to make for reports. */
  readonly entries?: number;
}

/** One line of result. `limit` is the raw part, measured in the same run; `ratio` is value / limit. */
export interface BenchResult {
  readonly value: number;
  readonly limit: number;
  readonly unit: string;
  /**
   * Of the rounds, where both took turns in many. `ratio` is their median then: a host that is faster in some seconds
   * than in others is so for both of a round, and not for the median of one and that of the other.
   */
  readonly ratios?: readonly number[];
  /** Further figures, printed on the same line. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

export interface Benchmark {
  readonly description: string;
  run(options: BenchOptions): Promise<BenchResult>;
}

/** Progress goes to stderr; stdout is for the result. */
export function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

/** How busy the machine was in the last 1, 5 and 15 minutes. */
export function readLoad(): number[] {
  return loadavg().map((load) => Number(load.toFixed(1)));
}

/** Does something so many times, several at once. @returns how often a second, until all that follows is over. */
export async function measureRate(
  count: number,
  atOnce: number,
  act: (number: number) => Promise<void>,
  follow: () => Promise<void> = async () => undefined,
): Promise<number> {
  const numbers = Array.from({ length: count }, (_, n) => n);
  const startedAtMs = performance.now();
  await forEachConcurrently(numbers, atOnce, act);
  await follow();
  return (count * 1000) / (performance.now() - startedAtMs);
}

const ROUNDS = 3;
/** From so many events on a round lasts for minutes. */
const EVENTS_OF_ONE_ROUND = 1_000_000;

/** @returns the number of rounds in which a benchmark measures so many events: with many of them, one is enough. */
export function countRounds(events: number): number {
  return events < EVENTS_OF_ONE_ROUND ? ROUNDS : 1;
}
