/**
 * The reaction of a connection to a server that was demoted to a replica and lives on, as in a planned failover behind
 * one address: no connection breaks, reads and PING go on, and each write is refused with READONLY. The connection is
 * made anew, so that the address leads to the new master; where it still leads to the replica, the pauses between
 * attempts grow. The library counts attempts from each connection that comes about, and these all do.
 */

/** Replies of a server that is a replica now: to a write, also of a script (in Redis 6 behind a dash), and to a call that blocks. */
const DEMOTED = /^UNBLOCKED |(?:^|-)READONLY /;
/** A refusal this long ago tells nothing of the server that a connection finds now; longer than the longest pause. */
const FORGOTTEN_AFTER_MS = 10_000;

/** The library's choices for the refused command: connect anew and reject it, or send it again. */
type Reconnection = false | 1 | 2;

export class DemotionWatch {
  #refusals = 0;
  #lastRefusalAtMs = -Infinity;

  /** @param sendsAgain whether a refused command waits for the next connection, within its own time limit. */
  constructor(
    private readonly sendsAgain: boolean,
    private readonly now = () => performance.now(),
  ) {}

  /** As the library's `reconnectOnError` has it. */
  readonly reconnectOnError = (error: Error): Reconnection => {
    if (!DEMOTED.test(error.message)) return false;
    this.#refusals = this.attempts + 1;
    this.#lastRefusalAtMs = this.now();
    return this.sendsAgain ? 2 : 1;
  };

  /** How often in a row the connection found a replica; 0 where it did long ago. */
  get attempts(): number {
    return this.now() - this.#lastRefusalAtMs < FORGOTTEN_AFTER_MS ? this.#refusals : 0;
  }
}
