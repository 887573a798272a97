import { Fault } from '#platform';

/** More than an append may hold, of which nothing was stored: fewer events at once may be taken. */
export class TooLargeToAppend extends Fault {
  constructor(message: string) {
    super('refused', message, { retryable: false });
  }
}
