import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { subscriptionAggregate } from '#domain/subscription';
import { type CommandContext, Ledger } from '#nest';
import type { PersonalData } from '#tenancy';
import { PERSONAL_DATA } from '../../tokens.js';
import type { SubscriptionDto } from '../subscription.dto.js';
import { answerSubscription, inScope } from './subscription-answer.js';

/** Ends a subscription, with its paid period or at once (rules/lifecycle 6). */
export class CancelSubscription extends Command<SubscriptionDto> {
  constructor(
    readonly id: string,
    readonly cancelAtPeriodEnd: boolean,
    readonly context: CommandContext,
  ) {
    super();
  }
}

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
