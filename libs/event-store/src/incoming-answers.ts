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
