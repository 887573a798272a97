/**
 * The kind of a failure of the world:
 * - `unavailable`: something is out of reach or did not answer in time; trying again may help.
 * - `conflict`: others kept changing the same thing; trying again may help.
 * - `undecodable`: stored data that this version cannot read; a newer version may.
 * - `refused`: the other side understood and said no (too big, access denied); trying again will not help.
 */
export type FaultCode = 'unavailable' | 'conflict' | 'undecodable' | 'refused';

export interface FaultOptions {
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;
  /** A hint for the caller's `Retry-After`. */
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/** The world failed (rules/events 8): thrown, never returned; the caller sees 503 or 409. */
export class Fault extends Error {
  readonly code: FaultCode;
  readonly retryable: boolean;
  readonly retryAfterMs?: number;

  constructor(code: FaultCode, message: string, options: FaultOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.retryable = options.retryable;
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs;
  }
}

/** We were wrong (rules/events 8): the caller sees 500 with a request id and nothing else. */
export class Defect extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'Defect';
  }
}

/**
 * States an invariant.
 *
 * @throws Defect with `message` when it is not so.
 */
export function assertDefect(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Defect(message);
}

/** EX_CONFIG of sysexits: a program ended because of a setting, and no new start mends that. */
export const EXIT_BAD_SETTING = 78;

/**
 * A setting cannot work: the service that it names answered, and did not accept it. The message is one sentence that
 * names the setting and shows no secret (rules/running 7).
 */
export class SettingRefused extends Fault {
  constructor(message: string, cause?: unknown) {
    super('refused', message, { retryable: false, ...(cause !== undefined && { cause }) });
  }
}
