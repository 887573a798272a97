import type { Dispatcher } from 'undici';
import type { StopSignal } from '#platform';

/** How an answer begins. */
type Head = Pick<ReceivedAnswer, 'status' | 'headers'>;

/** What came of an answer. */
export interface ReceivedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Up to the limit. */
  readonly body: Buffer;
  /** Whether that is all of it: where there is more, its connection is of no more use. */
  readonly isWhole: boolean;
}

/** Most receivers answer nothing. */
const NOTHING = Buffer.alloc(0);

/** One asks for more before the answer itself begins (RFC 9110, 15.2). */
const FIRST_FINAL_STATUS = 200;

/**
 * One request over a client of undici, and its answer, which is read up to a limit. It takes what the client's parser
 * gives, and makes none of the streams that undici's own `request` has for answers of any length.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #received: Buffer[] = [];
  #left: number;
  #head: Head | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #resolve: (answer: ReceivedAnswer) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;
  readonly #onAbort = () => this.#controller?.abort(this.#reason);

  /** @param answerLimitBytes no more than this is kept, and no more is read once more than this has come. */
  constructor(
    private readonly answerLimitBytes: number,
    private readonly signal: StopSignal,
  ) {
    this.#left = answerLimitBytes;
  }

  /** What has come so far; undefined before the head has. */
  get answer(): ReceivedAnswer | undefined {
    if (this.#head === undefined) return undefined;
    const received = this.#received;
    const body = received.length <= 1 ? (received[0] ?? NOTHING) : Buffer.concat(received);
    const { status, headers } = this.#head;
    const kept = this.#left < 0 ? body.subarray(0, this.answerLimitBytes) : body;
    return { status, headers, body: kept, isWhole: this.#left >= 0 };
  }

  /** @throws what the client ends a request with; the reason of the signal. */
  run(client: Dispatcher, options: Dispatcher.DispatchOptions): Promise<ReceivedAnswer> {
    return new Promise<ReceivedAnswer>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.signal.addEventListener('abort', this.#onAbort);
      client.dispatch(options, this);
    });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.signal.aborted) this.#onAbort();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Head['headers'],
  ): void {
    if (status >= FIRST_FINAL_STATUS) this.#head = { status, headers };
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#received.push(chunk);
    this.#left -= chunk.length;
    if (this.#left < 0) controller.abort(new Error('more was answered than is read'));
  }

  onResponseEnd(): void {
    this.signal.removeEventListener('abort', this.#onAbort);
    const { answer } = this;
    if (answer !== undefined) this.#resolve(answer);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.signal.removeEventListener('abort', this.#onAbort);
    // That it was ended by us, with enough of it, is no failure.
    if (this.#left < 0 && this.answer !== undefined) this.#resolve(this.answer);
    else this.#reject(error);
  }

  /** Whatever a signal was aborted with; undici takes an error. */
  get #reason(): Error {
    const reason: unknown = this.signal.reason;
    return reason instanceof Error ? reason : new Error(String(reason));
  }
}
