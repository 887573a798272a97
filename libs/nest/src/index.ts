/**
 * What our programs share in being programs, and our HTTP programs in being servers: `runProgram` and the
 * admin server; an application with its limits, error bodies and validation; and the command side, from a
 * request to the one command executor.
 */
export {
  type AppCaller,
  requireAppCaller,
  Caller,
  isCallers,
  Operator,
} from './commands/caller.js';
export { CommandContext } from './commands/command-context.decorator.js';
export { CommandContexts } from './commands/command-contexts.js';
export { CommandSource } from './commands/command-source.js';
export { Ledger } from './commands/ledger.js';
export { connectLedger, type LedgerConnection, LedgerModule } from './commands/ledger.module.js';
export { rejected, type RejectionCode } from './commands/rejections.js';
export {
  ApiError,
  cut,
  type FieldViolation,
  gatewayNotConfigured,
  invalidFields,
  notFound,
  STATUS,
} from './http/api-error.js';
export { answer, type AnswerNotes, answerWithoutBody } from './http/answer.js';
export { createHttpApplication, listenUntilShutdown } from './http/application.js';
export { type BodyConfig, unsupported } from './http/body-config.js';
export {
  AllOmittable,
  isObject,
  NestedList,
  NestedObject,
  Omittable,
  OmittableOrEmpty,
} from './http/dto-rules.js';
export { readConsistencyToken, setConsistencyToken } from './http/headers.js';
export { parseJsonBody, takeJson } from './http/json-body.js';
export { KnownQueryGuard } from './http/known-query.guard.js';
export { collectRoutes, noPath, type Route } from './http/routes.js';
export { createFastifyAdapter } from './http/server.js';
export {
  IsAmountCents,
  IsCode,
  IsCountryCode,
  IsCurrencyCode,
  IsJsonText,
  IsLanguageTag,
  IsLine,
  IsOrigin,
  IsPeriodValue,
  IsPlainText,
  IsRegionCode,
  IsTimestamp,
} from './http/text-rules.js';
export { addVary } from './http/vary.js';
export { startAdminServer } from './program/admin-server.js';
export { type Probes, Readiness, type ReadyReport } from './program/readiness.js';
export { type ProgramContext, runProgram } from './program/run-program.js';
export { APP_DIRECTORY, CLOCK, COMMAND_EXECUTOR, EVENT_STORE, LOG, STOPPING } from './tokens.js';
