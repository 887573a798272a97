import { Command } from 'nest-commander';
import { CommandGroup } from '../command-group.js';
import { IssueOperatorToken } from './issue.command.js';

@Command({
  name: 'operator-token',
  description: "operators' tokens for the management API",
  subCommands: [IssueOperatorToken],
})
export class OperatorTokenCommand extends CommandGroup {}
