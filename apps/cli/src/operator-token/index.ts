import { Command } from 'nest-commander';
import { CommandGroup } from '../cli-command.js';
import { IssueOperatorToken } from './issue.command.js';
import { ListOperatorTokens, RevokeOperatorToken } from './tokens.commands.js';

const subCommands = [IssueOperatorToken, ListOperatorTokens, RevokeOperatorToken];

@Command({
  name: 'operator-token',
  description: "operators' tokens for the management API",
  subCommands,
})
class OperatorTokenCommands extends CommandGroup {}

/** The group's own name first. */
export const commands = [OperatorTokenCommands, ...subCommands];
