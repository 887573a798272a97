import { Command } from 'nest-commander';
import { CommandGroup } from '../command-group.js';
import { IssueOperatorToken } from './issue.command.js';
import { ListOperatorTokens } from './list.command.js';
import { RevokeOperatorToken } from './revoke.command.js';

@Command({
  name: 'operator-token',
  description: "operators' tokens for the management API",
  subCommands: [IssueOperatorToken, ListOperatorTokens, RevokeOperatorToken],
})
export class OperatorTokenCommands extends CommandGroup {}
