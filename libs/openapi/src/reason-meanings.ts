/**
 * What reasons mean whose sentences name something of the request: in the document they stand as they are, in answers
 * with what it is about.
 */
export const REASON_MEANINGS: Readonly<Record<string, string>> = {
  ADDRESS_TOO_LONG: 'The address of the request is too long.',
  BODY_INCOMPLETE: 'The body ended before its content-length.',
  BODY_TOO_LARGE: 'The body is larger than this operation takes.',
  CATALOG_NOT_CONFIGURED: 'The app has no catalog. Say first where its backend is.',
  CONCURRENT_CHANGE: 'Others kept changing it at the same time. Try again.',
  EXPECTATION_FAILED: 'The only expectation that is met is 100-continue.',
  GATEWAY_NOT_CONFIGURED: 'The app has no payment gateway yet.',
  HOST_AMBIGUOUS: 'The request names its host more than once.',
  HOST_MISSING: 'The request names no host.',
  INTERNAL: 'Something went wrong on our side. Tell us the request id.',
  INVALID_FIELDS: 'Fields of the request are not valid: each is named.',
  INVALID_PRICE_SHEET: 'The price sheet has bad rows: each is named, and nothing of it was taken.',
  MALFORMED_ADDRESS: 'The address of the request cannot be read.',
  MALFORMED_JSON: 'The body is no JSON.',
  MALFORMED_REQUEST: 'The request is no HTTP that can be read.',
  NOTICE_NOT_VERIFIED: 'The notice is not signed by the gateway of the app.',
  NOT_A_TEST_APP: 'Only apps of the environment test can do this.',
  PRICE_SHEET_DOUBTFUL:
    'The price sheet has rows that a spreadsheet may have changed: each is named, and nothing of it was taken.',
  RATE_LIMITED: 'The app, or the player, asks too often. Try again after the time that is named.',
  REFUND_REFUSED: 'The gateway did not take the refund.',
  REQUEST_TOO_SLOW: 'The request did not come in time.',
  ROLE_NOT_SUFFICIENT: 'The token has no role that may do this.',
  SCOPE_NOT_SUFFICIENT: 'The token is for other apps.',
  SECRET_SHOWN_ALREADY:
    'The key was used before, and its secret is shown only once. Ask for another secret with a new key.',
  STOPPING: 'The service is about to stop. Try again: another one answers.',
  TOO_MANY_WEBHOOK_ENDPOINTS:
    'The app has as many webhook endpoints as an app can have. Delete one first.',
  UNAUTHENTICATED: 'The credentials are missing or not valid.',
  UNAVAILABLE: 'The service cannot answer at present. Try again.',
  UNSUPPORTED_CONTENT_TYPE: 'The body has another content-type than this operation takes.',
  WRONG_CREDENTIALS_FOR_OPERATION: 'This operation takes other credentials.',
};
