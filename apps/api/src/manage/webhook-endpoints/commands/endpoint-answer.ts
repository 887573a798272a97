import {
  isRunning,
  type WebhookEndpoint,
  webhookEndpointAggregate,
  type WebhookEndpointCommand,
} from '#domain/webhook-endpoint';
import { answer, type CommandContext } from '#nest';
import { assertDefect } from '#platform';
import { toRunning } from '#tenancy';
import type { FollowedLedger } from '../../followed-ledger.js';
import { renderEndpoint } from '../render-endpoint.js';
import type { WebhookEndpointDto } from '../webhook-endpoint.dto.js';

/** Runs a command on an endpoint of the context's app; another app's, or a deleted one, is not found. */
export async function executeOnEndpoint(
  ledger: FollowedLedger,
  id: string,
  command: WebhookEndpointCommand,
  context: CommandContext,
) {
  const { appId } = context;
  const mayAct = (state: WebhookEndpoint) => isRunning(state) && state.appId === appId;
  const options = { mayAct };
  return ledger.execute(webhookEndpointAggregate, id, command, context, options);
}

/** The same. @returns the endpoint as it was after the command. */
export async function answerWithEndpoint(
  ...command: Parameters<typeof executeOnEndpoint>
): Promise<WebhookEndpointDto> {
  const result = await executeOnEndpoint(...command);
  const endpoint = toRunning(result.state);
  assertDefect(endpoint !== undefined, 'a command accepted by no endpoint');
  return answer(renderEndpoint(endpoint), result);
}
