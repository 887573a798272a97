/** What a chaos run is asked; each module says what a round is. */
export interface ChaosOptions {
  readonly rounds: number;
  /** Hears of each round; nothing is said otherwise. */
  readonly progress: (text: string) => void;
}

export interface ChaosModule {
  readonly description: string;
  readonly defaultRounds: number;
  /** Throws when a guarantee was broken, saying which. Answers with a summary. */
  run(options: ChaosOptions): Promise<string>;
}
