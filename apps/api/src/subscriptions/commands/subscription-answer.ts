import type { Subscription } from '#domain/subscription';
import type { Accepted } from '#event-store';
import { answer, type CommandContext } from '#nest';
import { assertDefect } from '#platform';
import { renderSubscription } from '#representations';
import type { PersonalData } from '#tenancy';
import type { SubscriptionDto } from '../subscription.dto.js';

/** The conditions of a command on its subscription: another app's, or another player's, is not found. */
export function inScope({ appId, player }: CommandContext) {
  return {
    mayAct: (subscription: Subscription) =>
      subscription.status !== 'none' &&
      subscription.appId === appId &&
      (player === undefined || subscription.player === player),
    playerOf: (subscription: Subscription) =>
      subscription.status === 'none' ? undefined : subscription.player,
  };
}

/** A subscription as a command has left it. */
export async function answerSubscription(
  result: Accepted<Subscription, unknown>,
  personalData: PersonalData,
): Promise<SubscriptionDto> {
  assertDefect(result.state.status !== 'none', 'a command accepted by no subscription');
  const names = await personalData.names(result.state);
  return answer(renderSubscription(result.state, names), result);
}
