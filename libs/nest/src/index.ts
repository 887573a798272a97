/**
 * The shared part of handlers and controllers of our programs: the command side, from a request to the one command
 * executor, the errors and the answers. `#nest/program` starts and serves a program, `#nest/dto` declares the shapes of
 * requests: both load much that a handler and its spec do without.
 */
export {
  type AppCaller,
  requireAppCaller,
  Caller,
  isCallers,
  Operator,
} from './commands/caller.js';
export {
  CommandContext,
  CommandContextShowingSecret,
} from './commands/command-context.decorator.js';
export { commandWith, queryWith } from './commands/bus-messages.js';
export { CommandContexts } from './commands/command-contexts.js';
export { CommandSource } from './commands/command-source.js';
export { Ledger } from './commands/ledger.js';
export { lookUntil } from './commands/look-until.js';
export type { RejectionCode } from './commands/rejection-code.js';
export { findRejection, rejected } from './commands/rejections.js';
export { findPlanError } from './commands/wanted-plan.js';
export {
  ApiError,
  catalogUnavailable,
  cut,
  type FieldViolation,
  gatewayNotConfigured,
  invalidFields,
  mergeRefusals,
  notFound,
  STATUS,
} from './http/answer/api-error.js';
export { errorBody } from './http/answer/error-body.js';
export { answerError, setErrorHeaders, toApiError } from './http/edge/error.filter.js';
export { FurtherChecks, listBadFields, type WellFormed } from './http/body/further-checks.js';
export { answer, type AnswerNotes, answerWithoutBody, printed } from './http/answer/answer.js';
export type { BodyConfig } from './http/body/body-config.js';
export { findUnfit, unsupported } from './http/body/content-types.js';
export {
  type ConsistencyToken,
  readConsistencyToken,
  setConsistencyToken,
} from './http/answer/headers.js';
export { parseJsonBody, takeJson } from './http/body/json-body.js';
export { KnownQueryGuard, unknownParameters } from './http/body/known-query.guard.js';
export { collectRoutes, noPath, type Route } from './http/edge/routes.js';
export { PostOk } from './http/answer/post-ok.decorator.js';
export { addVary } from './http/answer/vary.js';
export {
  APP_DIRECTORY,
  CLOCK,
  COMMAND_EXECUTOR,
  COMMAND_HASH_KEYS,
  EVENT_STORE,
  LOG,
  STOPPING,
} from './tokens.js';
export { type NewOrder, OrderPlacement, type PlacedOrder } from './orders/order-placement.js';
