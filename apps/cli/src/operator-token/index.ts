import { IssueOperatorToken } from './issue.command.js';
import { ListOperatorTokens } from './list.command.js';
import { OperatorTokenCommands } from './operator-token.command.js';
import { RevokeOperatorToken } from './revoke.command.js';

/** The group's own name first. */
export const commands = [
  OperatorTokenCommands,
  IssueOperatorToken,
  ListOperatorTokens,
  RevokeOperatorToken,
];
