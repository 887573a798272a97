import type { StatusName } from '#nest/errors';

/** An error as the document describes it. */
export interface Reason {
  readonly status: StatusName;
  /** In place of the status' own. */
  readonly http?: number;
  /** The meaning of the reason; an answer names things of its request in place of this. */
  readonly message: string;
}

/** The reasons that no rejection has, as several operations, or all of them, answer with them. */
export const REASONS: Readonly<Record<string, Reason>> = {
  ADDRESS_TOO_LONG: {
    status: 'INVALID_ARGUMENT',
    http: 414,
    message: 'The address of the request is too long.',
  },
  BODY_INCOMPLETE: {
    status: 'INVALID_ARGUMENT',
    message: 'The body ended before its content-length.',
  },
  BODY_TOO_LARGE: {
    status: 'RESOURCE_EXHAUSTED',
    http: 413,
    message: 'The body is larger than this operation takes.',
  },
  CATALOG_NOT_CONFIGURED: {
    status: 'FAILED_PRECONDITION',
    message: 'The app has no catalog. Say first where its backend is.',
  },
  CLOSE_GATES_SHUT: {
    status: 'FAILED_PRECONDITION',
    message:
      'The period cannot be closed yet: each gate that is shut is named, with the way to open it.',
  },
  COLUMNS_MISSING: {
    status: 'INVALID_ARGUMENT',
    message: "The file is no itemized report of Stripe's: each column that it lacks is named.",
  },
  CONCURRENT_CHANGE: {
    status: 'ABORTED',
    message: 'Others kept changing it at the same time. Try again.',
  },
  EXPECTATION_FAILED: {
    status: 'INVALID_ARGUMENT',
    http: 417,
    message: 'The only expectation that is met is 100-continue.',
  },
  GATEWAY_KEYS_MISSING: {
    status: 'FAILED_PRECONDITION',
    message: 'The app has no keys of the gateway of a payment: its books cannot be read.',
  },
  GATEWAY_NOT_CONFIGURED: {
    status: 'FAILED_PRECONDITION',
    message: 'The app has no payment gateway yet.',
  },
  HOST_AMBIGUOUS: {
    status: 'INVALID_ARGUMENT',
    message: 'The request names its host more than once.',
  },
  HOST_MISSING: { status: 'INVALID_ARGUMENT', message: 'The request names no host.' },
  INTERNAL: {
    status: 'INTERNAL',
    message: 'Something went wrong on our side. Tell us the request id.',
  },
  INVALID_FIELDS: {
    status: 'INVALID_ARGUMENT',
    message: 'Fields of the request are not valid: each is named.',
  },
  INVALID_PRICE_SHEET: {
    status: 'INVALID_ARGUMENT',
    message: 'The price sheet has bad rows: each is named, and nothing of it was taken.',
  },
  LIST_ORDER_CHANGED: {
    status: 'ABORTED',
    message:
      'The list is in another order than the one in which the pageToken was given. Read it again from its first page.',
  },
  MALFORMED_ADDRESS: {
    status: 'INVALID_ARGUMENT',
    message: 'The address of the request cannot be read.',
  },
  MALFORMED_JSON: { status: 'INVALID_ARGUMENT', message: 'The body is no JSON.' },
  MALFORMED_REQUEST: {
    status: 'INVALID_ARGUMENT',
    message: 'The request is no HTTP that can be read.',
  },
  NOT_A_TEST_APP: {
    status: 'FAILED_PRECONDITION',
    message: 'Only apps of the environment test can do this.',
  },
  PERIOD_NOT_BEGUN: {
    status: 'FAILED_PRECONDITION',
    message: "The period has not begun by the app's clock.",
  },
  PERIOD_OPEN: {
    status: 'FAILED_PRECONDITION',
    message: 'The period is not closed.',
  },
  PRICE_SHEET_DOUBTFUL: {
    status: 'FAILED_PRECONDITION',
    message:
      'The price sheet has rows that a spreadsheet may have changed: each is named, and nothing of it was taken.',
  },
  RATE_LIMITED: {
    status: 'RESOURCE_EXHAUSTED',
    message: 'The app, or the player, asks too often. Try again after the time that is named.',
  },
  REFUND_REFUSED: {
    status: 'FAILED_PRECONDITION',
    message: 'The gateway did not take the refund.',
  },
  REPORT_REFUSED: {
    status: 'FAILED_PRECONDITION',
    message: 'The report cannot be made: a sum is beyond 2^63 minor units.',
  },
  REQUEST_TOO_SLOW: {
    status: 'INVALID_ARGUMENT',
    http: 408,
    message: 'The request did not come in time.',
  },
  ROLE_NOT_SUFFICIENT: {
    status: 'PERMISSION_DENIED',
    message: 'The token has no role that may do this.',
  },
  ROWS_REFUSED: {
    status: 'INVALID_ARGUMENT',
    message: 'The report has bad rows: each is named, and nothing of it was imported.',
  },
  SCOPE_NOT_SUFFICIENT: { status: 'PERMISSION_DENIED', message: 'The token is for other apps.' },
  NO_BOOKKEEPER: {
    status: 'UNAVAILABLE',
    message: 'Books are read by a bookkeeper, and none answers. Try again when one runs.',
  },
  NOTHING_SEALED: {
    status: 'NOT_FOUND',
    message: 'Nothing of this ledger has been sealed yet: it has no checkpoint.',
  },
  OTHER_RELEASE: {
    status: 'FAILED_PRECONDITION',
    message: 'The read model is of another release, which alone can read and change it.',
  },
  SECRET_SHOWN_ALREADY: {
    status: 'ABORTED',
    message:
      'The key was used before, and its secret is shown only once. Ask for another secret with a new key.',
  },
  STOPPING: {
    status: 'UNAVAILABLE',
    message: 'The service is about to stop. Try again: another one answers.',
  },
  TOO_MANY_REPORTS: {
    status: 'RESOURCE_EXHAUSTED',
    message: 'As many reports as may be are written already. Try again when one has ended.',
  },
  TOO_MANY_WEBHOOK_ENDPOINTS: {
    status: 'FAILED_PRECONDITION',
    message: 'The app has as many webhook endpoints as an app can have. Delete one first.',
  },
  UNAUTHENTICATED: {
    status: 'UNAUTHENTICATED',
    message: 'The credentials are missing or not valid.',
  },
  UNAVAILABLE: {
    status: 'UNAVAILABLE',
    message: 'The service cannot answer at present. Try again.',
  },
  UNSUPPORTED_CONTENT_TYPE: {
    status: 'INVALID_ARGUMENT',
    http: 415,
    message: 'The body has another content-type than this operation takes.',
  },
  WRONG_CREDENTIALS_FOR_OPERATION: {
    status: 'PERMISSION_DENIED',
    message: 'This operation takes other credentials.',
  },
};

/** The reasons that every operation of every program has: they arise before its code runs, or whatever its code does. */
export const REFUSED_EVERYWHERE = [
  'ADDRESS_TOO_LONG',
  'BODY_TOO_LARGE',
  'CONCURRENT_CHANGE',
  'EXPECTATION_FAILED',
  'HOST_AMBIGUOUS',
  'HOST_MISSING',
  'INTERNAL',
  'MALFORMED_ADDRESS',
  'MALFORMED_JSON',
  'MALFORMED_REQUEST',
  'REQUEST_TOO_SLOW',
  'STOPPING',
  'UNAVAILABLE',
  'UNSUPPORTED_CONTENT_TYPE',
] as const;
