/** What a call that is open has brought. */
export interface IncomingAnswers<Answer> {
  /** What has come since, in its order; none where nothing has. */
  take(): Answer[];
  readonly hasEnded: boolean;
  readonly error: Error | undefined;
  /** Called whenever one of the above may have changed. */
  onChange: () => void;
  /** What is still to come is of no interest. */
  drop(): void;
  cancel(): void;
}

/** A call that goes on while both sides have something to say. */
export interface TwoWayCall<Answer> extends IncomingAnswers<Answer> {
  /** Sends one more message; a call that has ended sends nothing. */
  send(message: Buffer): void;
  /** Ends the call as a lost connection ends: the client drops its channel and looks for the leader. */
  lose(why: string): void;
}

/**
 * To be called in the end, whatever was read. A call of which more is to come has to be cancelled. One that
 * the store is about to end anyway is not: a cancelled call is answered all the same, and Node ends a
 * connection after a thousand frames that came too late.
 */
export function leaveCall(answers: IncomingAnswers<unknown>, hasMore: boolean): void {
  if (answers.hasEnded || answers.error !== undefined) return;
  // Within the turn that made it, grpc-js takes no cancel.
  if (hasMore) setImmediate(() => answers.cancel());
  answers.drop();
}
