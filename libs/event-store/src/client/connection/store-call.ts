/** The called method, and how its answers are read from their bytes. */
export interface CalledMethod<Answer> {
  readonly path: string;
  readonly read: (bytes: Buffer) => Answer;
}

/** An open call: its answers so far, and its further messages. */
export interface StoreCall<Answer> {
  /** The answers that have come since the last read, in their order. */
  take(): Answer[];
  readonly hasEnded: boolean;
  readonly error: Error | undefined;
  /** Called whenever one of the above may have changed. */
  onChange: () => void;
  /** Sends one more message; a call that has ended sends nothing. */
  send(message: Buffer): void;
  /**
   * To be called in the end, whatever was read. A call of which more is to come is canceled. A call that the store is
   * about to end anyway is not: the store answers a canceled call all the same, and Node ends a connection after a
   * thousand frames that came too late.
   */
  leave(hasMore: boolean): void;
  /** Ends the call as a lost connection ends: the client drops its channel and looks for the leader. */
  lose(why: string): void;
}

/** A call of which the whole request was sent. */
export type IncomingAnswers<Answer> = Omit<StoreCall<Answer>, 'send' | 'lose'>;
