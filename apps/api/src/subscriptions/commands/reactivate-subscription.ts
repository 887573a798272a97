import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { subscriptionAggregate } from '#domain/subscription';
import { type CommandContext, Ledger } from '#nest';
import type { PersonalData } from '#tenancy';
import { PERSONAL_DATA } from '../../tokens.js';
import type { SubscriptionDto } from '../subscription.dto.js';
import { answerSubscription, inScope } from './subscription-answer.js';

/** Takes a cancellation back while access lasts (rules/lifecycle 6). */
export class ReactivateSubscription extends Command<SubscriptionDto> {
  constructor(
    readonly id: string,
    readonly context: CommandContext,
  ) {
    super();
  }
}

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
