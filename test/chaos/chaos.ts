/** The options of a chaos run; each module names its own in its description. */
export interface ChaosOptions {
  readonly rounds?: number | undefined;
  readonly requests?: number | undefined;
  readonly seed?: number | undefined;
  /** The one request to send again. */
  readonly only?: number | undefined;
  /** Hears of how far it is; nothing is said otherwise. */
  readonly progress: (done: number, of: number, text: string) => void;
}

export interface ChaosResult {
  /** For people. */
  readonly summary: string;
  /** For programs. */
  readonly figures: Readonly<Record<string, unknown>>;
  /** Broken promises; empty when every promise was kept. */
  readonly findings: readonly string[];
}

export interface ChaosModule {
  readonly description: string;
  run(options: ChaosOptions): Promise<ChaosResult>;
}

/** Arguments that say nothing that could be done, or a machine on which it cannot be done. */
export class BadUsage extends Error {}
