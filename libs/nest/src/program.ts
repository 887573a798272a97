/**
 * The shared part of our programs as programs, and of our HTTP programs as servers: `runProgram`, the admin server and
 * readiness; the connection to the ledger; an application with its limits and hooks.
 */
export { endWithLedger } from './commands/end-with-ledger.js';
export { connectLedger, type LedgerConnection, LedgerModule } from './commands/ledger.module.js';
export { createHttpApplication, listenUntilShutdown } from './http/edge/application.js';
export { createFastifyAdapter } from './http/edge/server.js';
export { startAdminServer } from './program/admin-server.js';
export { type Probes, Readiness, type ReadyReport, WaitsForOperator } from './program/readiness.js';
export { type ProgramContext, runProgram } from './program/run-program.js';
