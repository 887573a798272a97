import { AcceptDifference } from './accept.command.js';
import { CLOSE_COMMANDS } from './close.commands.js';
import { ExplainFigure } from './explain/explain.command.js';
import { IMPORT_COMMANDS, ImportCommands } from './import.commands.js';
import { POLICY_COMMANDS, PolicyCommands } from './policy.commands.js';
import { ReconcilePayout } from './reconcile.command.js';
import { REPORT_COMMANDS } from './report.commands.js';
import { RestateClose } from './restate.command.js';
import { SandboxReport } from './sandbox-report.command.js';
import { VerifyCloses } from './verify.command.js';

export const commands = [
  ...[...REPORT_COMMANDS, PolicyCommands, ImportCommands],
  ...[SandboxReport, ReconcilePayout, AcceptDifference, ExplainFigure],
  ...[...CLOSE_COMMANDS, VerifyCloses, RestateClose],
];

/** Of groups within the group. */
export const nested = [...POLICY_COMMANDS, ...IMPORT_COMMANDS];
