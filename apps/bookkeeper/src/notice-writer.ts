import { type Log, warnSeldom } from '#platform';
import type { SealNotices } from '#sealing';

/** Has witnesses notified of checkpoints beside the sealing, which waits for none of it: one pass at a time. */
export class NoticeWriter {
  #isAsked = false;
  #pass: Promise<void> | undefined;

  constructor(
    private readonly notices: Pick<SealNotices, 'write'>,
    private readonly log: Log,
  ) {}

  /** There may be a checkpoint of which witnesses have no notice. Waits for nothing and never throws. */
  request(): void {
    this.#isAsked = true;
    this.#pass ??= this.#writeAll().finally(() => (this.#pass = undefined));
  }

  /** Resolves when nothing is being written. */
  async settled(): Promise<void> {
    await this.#pass;
  }

  /** After a failure the next checkpoint makes up for the missing notices. */
  async #writeAll(): Promise<void> {
    while (this.#isAsked) {
      this.#isAsked = false;
      await this.notices.write().catch((error: unknown) => {
        warnSeldom(this.log, error, 'the notices of a checkpoint wait for the next one');
      });
    }
  }
}
