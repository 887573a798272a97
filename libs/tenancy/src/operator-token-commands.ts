import { appAggregate } from '#domain/app';
import {
  ALL_APPS,
  type OperatorToken,
  operatorTokensAggregate,
  type OperatorTokenRejection,
  chooseRegister,
} from '#domain/operator-tokens';
import type { CommandExecutor, CommandContext, ExecutorRejection } from '#event-store';
import { newUuid, type Seal, wallClock } from '#platform';
import { createOperatorTokens, type LoadRegister, newOperatorToken } from './operator-tokens.js';

/** Operators' tokens for programs that hold MASTER_KEY and reach the store. */
export interface OperatorTokenIssue {
  readonly wanted: Parameters<typeof newOperatorToken>[0];
  readonly lifetimeSeconds: number;
  /** Whether the issuer's former tokens of the same name are revoked with it. */
  readonly replacesFormer?: boolean;
}

export type IssueResult =
  | { readonly accepted: true; readonly token: string; readonly issued: OperatorToken }
  | { readonly accepted: false; readonly rejection: Rejection };

type Rejection =
  | OperatorTokenRejection
  | ExecutorRejection
  | { readonly code: 'app/not_found'; readonly detail: string };

/** Reads registers of tokens from the store. */
export function registersIn(commands: CommandExecutor): LoadRegister {
  return async (register) => {
    const { state } = await commands.load(operatorTokensAggregate, register);
    return state;
  };
}

/** Issues a token for apps that there are. @throws Fault when the store is out of reach. */
export async function issueOperatorToken(
  commands: CommandExecutor,
  seal: Seal,
  { wanted, lifetimeSeconds, replacesFormer = false }: OperatorTokenIssue,
): Promise<IssueResult> {
  for (const appId of wanted.apps.filter((app) => app !== ALL_APPS)) {
    const { state } = await commands.load(appAggregate, appId);
    if (state.status !== 'created') {
      return { accepted: false, rejection: { code: 'app/not_found', detail: appId } };
    }
  }
  const token = newOperatorToken(wanted, lifetimeSeconds);
  const register = chooseRegister(wanted.apps);
  const context = await contextFrom(commands, register, wanted.issuedBy);
  const command = { kind: 'IssueOperatorToken', token, replacesFormer } as const;
  const result = await commands.execute(operatorTokensAggregate, register, command, context);
  if (!result.accepted) return result;
  const tokens = createOperatorTokens(seal, registersIn(commands));
  return { accepted: true, token: await tokens.sign(token), issued: token };
}

/**
 * Revokes a token of a register. @returns why not. @throws Fault when the store is out of reach.
 */
export async function revokeOperatorToken(
  commands: CommandExecutor,
  register: string,
  tokenId: string,
  revokedBy: string,
): Promise<Rejection | undefined> {
  const context = await contextFrom(commands, register, revokedBy);
  const wallNow = wallClock.now();
  const command = { kind: 'RevokeOperatorToken', tokenId, revokedBy, wallNow } as const;
  const result = await commands.execute(operatorTokensAggregate, register, command, context);
  return result.accepted ? undefined : result.rejection;
}

/** The shared register belongs to no app: its events carry its name in place of an app's id. */
async function contextFrom(
  commands: CommandExecutor,
  register: string,
  actor: string,
): Promise<CommandContext> {
  const now = wallClock.now();
  const { state } = await commands.load(appAggregate, register);
  const environment = state.status === 'created' ? state.environment : 'production';
  return { appId: register, environment, actor, correlationId: newUuid(), now };
}
