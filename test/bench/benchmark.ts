/** The options of a benchmark. Counts are for those benchmarks that say so in their description. */
export interface BenchOptions {
  /** How many events to load before sizes are read; a benchmark has its own default. */
  readonly events?: number;
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
