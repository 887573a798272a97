import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Subscription, subscriptionAggregate } from '#domain/subscription';
import type { Accepted } from '#event-store';
import { answer, type CommandContext, commandWith, Ledger } from '#nest';
import { assertDefect } from '#platform';
import { renderSubscription } from '#representations';
import type { PersonalData } from '#tenancy';
import { PERSONAL_DATA } from '../../tokens.js';
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

/** Ends a subscription, with its paid period or at once (rules/lifecycle 6). */
export class CancelSubscription extends commandWith<
  { id: string; cancelAtPeriodEnd: boolean; context: CommandContext },
  SubscriptionDto
>() {}

@CommandHandler(CancelSubscription)
export class CancelSubscriptionHandler implements ICommandHandler<CancelSubscription> {
  constructor(
    private readonly ledger: Ledger,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  async execute({ id, cancelAtPeriodEnd, context }: CancelSubscription): Promise<SubscriptionDto> {
    const command = { kind: 'CancelSubscription', cancelAtPeriodEnd, now: context.now } as const;
    return answerSubscription(
      await this.ledger.execute(subscriptionAggregate, id, command, context, inScope(context)),
      this.personalData,
    );
  }
}

/** Takes a cancellation back while access lasts (rules/lifecycle 6). */
export class ReactivateSubscription extends commandWith<
  { id: string; context: CommandContext },
  SubscriptionDto
>() {}

@CommandHandler(ReactivateSubscription)
export class ReactivateSubscriptionHandler implements ICommandHandler<ReactivateSubscription> {
  constructor(
    private readonly ledger: Ledger,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  async execute({ id, context }: ReactivateSubscription): Promise<SubscriptionDto> {
    const command = { kind: 'ReactivateSubscription', now: context.now } as const;
    return answerSubscription(
      await this.ledger.execute(subscriptionAggregate, id, command, context, inScope(context)),
      this.personalData,
    );
  }
}
