import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { paymentAggregate } from '#domain/payment';
import { type SandboxChallenges, settleBy } from '#gateway';
import { CommandContexts, type CommandSource, commandWith, Ledger } from '#nest';
import { assertDefect } from '#platform';
import { AwaitOutcome } from '../checkout/await-outcome.handler.js';
import { SANDBOX_CHALLENGES } from '../tokens.js';
import { AskedChallenges } from './asked-challenges.js';

/** A player confirms a payment at the sandbox's bank, or declines it. */
export class DecideChallenge extends commandWith<{
  linkId: string;
  paymentId: string;
  isAccepted: boolean;
  source: CommandSource;
}>() {}

/**
 * Writes the decision into the sandbox's books, then tells the ledger, as a gateway's notice does. The worker finds a
 * lost decision in the books, or the next click sends it again.
 */
@CommandHandler(DecideChallenge)
export class DecideChallengeHandler implements ICommandHandler<DecideChallenge> {
  constructor(
    private readonly challenges: AskedChallenges,
    private readonly ledger: Ledger,
    private readonly contexts: CommandContexts,
    private readonly queries: QueryBus,
    @Inject(SANDBOX_CHALLENGES) private readonly bank: SandboxChallenges,
  ) {}

  /** Resolves when the checkout has the outcome, or has waited for it as a click does. @throws ApiError, Fault. */
  async execute({ linkId, paymentId, isAccepted, source }: DecideChallenge): Promise<void> {
    const { link, attempt, reference } = await this.challenges.find(linkId, paymentId);
    const decided = await this.bank.decide({ key: paymentId, reference }, isAccepted);
    assertDefect(decided?.outcome, 'a challenge that was decided has an outcome');
    const context = await this.contexts.withoutIdempotency(source, link.appId);
    await this.ledger.execute(paymentAggregate, paymentId, settleBy(decided.outcome, context.now), {
      ...context,
      player: link.player,
    });
    await this.queries.execute(new AwaitOutcome({ linkId, attempt, isConfirmed: true }));
  }
}
