import { MakeCheckpoint } from './checkpoint.command.js';
import { CheckProof } from './check.command.js';
import { CosignCheckpoint } from './cosign.command.js';
import { ExportSeals } from './export.command.js';
import { KEY_COMMANDS, SealKeyCommands } from './key.commands.js';
import { ProveEvents } from './prove.command.js';
import { SealStatus } from './status.command.js';
import { VerifySeals } from './verify.command.js';

export const commands = [
  ...[SealStatus, MakeCheckpoint, ExportSeals, ProveEvents],
  ...[VerifySeals, CosignCheckpoint, CheckProof, SealKeyCommands],
];

/** Of a group within the group. */
export const nested = KEY_COMMANDS;
