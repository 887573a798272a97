import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  type CurrencyChangeScheduled,
  type CurrencyMove,
  quoteCurrency,
  quoteUnmoved,
  type StartedSubscription,
  type Subscription,
  subscriptionAggregate,
  type SubscriptionEvent,
} from '#domain/subscription';
import type { Accepted } from '#event-store';
import { answer, type CommandContext, commandWith, Ledger } from '#nest';
import { assertDefect, forEachConcurrently } from '#platform';
import type { PersonalData } from '#tenancy';
import { inScope } from '../../../subscriptions/commands/subscription-changes.js';
import { PERSONAL_DATA } from '../../../tokens.js';
import type {
  ChangeCurrenciesBody,
  CurrencyChangeDto,
  CurrencyChangeListDto,
} from '../currency-change.dto.js';
import { CurrencyMoves } from '../currency-moves.js';
import { renderMove, renderStay } from '../queries/preview-currency-changes.js';

/** Appends of one call that are under way together: a page takes well under a second, and purchases go on beside it. */
const SUBSCRIPTIONS_AT_ONCE = 8;

/** Moves the subscriptions of a page to another currency, each with its next renewal (rules/lifecycle 14). */
export class ChangeCurrencies extends commandWith<
  { body: ChangeCurrenciesBody; context: CommandContext },
  CurrencyChangeListDto
>() {}

type Result = Accepted<Subscription, SubscriptionEvent>;

@CommandHandler(ChangeCurrencies)
export class ChangeCurrenciesHandler implements ICommandHandler<ChangeCurrencies> {
  constructor(
    private readonly ledger: Ledger,
    private readonly moves: CurrencyMoves,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  async execute({ body, context: asked }: ChangeCurrencies): Promise<CurrencyChangeListDto> {
    // A revision is of one subscription, and there are many.
    const { ifMatch: _ofNone, ...context } = asked;
    const { subscriptions, nextPageToken } = await this.moves.findPage(context.appId, body);
    const moveFor = await this.moves.prepare(body, context);
    const shown = new Map<string, CurrencyChangeDto>();
    const results: Result[] = [];
    await forEachConcurrently(subscriptions, SUBSCRIPTIONS_AT_ONCE, async (listed) => {
      const { subscriptionId: id } = listed;
      const subscription = await this.load(id);
      const move = await moveFor(subscription);
      const result = await this.move(subscription, move, context);
      if (result !== undefined) results.push(result);
      shown.set(id, await this.show(subscription, move, result));
    });
    const positions = results.map(({ position }) => position ?? '').sort();
    const replayed = results.length > 0 && results.every((result) => result.replayed);
    return answer(
      {
        subscriptions: subscriptions.flatMap(({ subscriptionId: id }) => shown.get(id) ?? []),
        nextPageToken,
      },
      { position: positions.at(-1) ?? null, replayed },
    );
  }

  /** As the store has it: the list may be behind. */
  private async load(id: string): Promise<StartedSubscription> {
    const { state } = await this.ledger.load(subscriptionAggregate, id);
    assertDefect(state.status !== 'none', 'a subscription in the lists that has no event');
    return state;
  }

  /** Nothing is noted of one that stays. @returns undefined where nothing was moved, by this call or with its key. */
  private async move(
    subscription: StartedSubscription,
    move: CurrencyMove,
    context: CommandContext,
  ): Promise<Result | undefined> {
    const { subscriptionId: id } = subscription;
    if (quoteCurrency(subscription, move).moves) {
      const command = { kind: 'ChangeCurrency', ...move } as const;
      return this.ledger.execute(subscriptionAggregate, id, command, context, inScope(context));
    }
    if (context.commandId === undefined) return undefined;
    return this.ledger.answerBefore(subscriptionAggregate, id, context);
  }

  /** The actual result of the command: the subscription may have moved on meanwhile. */
  private async show(
    subscription: StartedSubscription,
    move: CurrencyMove,
    result: Result | undefined,
  ): Promise<CurrencyChangeDto> {
    const names = await this.personalData.names(subscription);
    const scheduled = result?.events.find(isScheduled);
    if (result === undefined || scheduled === undefined) {
      const state = result?.state ?? subscription;
      assertDefect(state.status !== 'none', 'a command accepted by no subscription');
      const quoted = quoteCurrency(state, move);
      // It was different when the command came to it: the next call moves it.
      return renderStay(state, names, quoted.moves ? 'plan_changed' : quoted.reason);
    }
    const { effectiveAt, lines: after } = scheduled.data;
    const before = await this.findBefore(subscription.subscriptionId, result);
    const { lines } = quoteUnmoved(before, move.taxRates);
    return renderMove(before, names, { effectiveAt, before: lines, after });
  }

  /** The subscription as the command found it. */
  private async findBefore(id: string, { revision }: Result): Promise<StartedSubscription> {
    const then = { toRevision: revision - 1 };
    const { state } = await this.ledger.load(subscriptionAggregate, id, then);
    assertDefect(state.status !== 'none', 'a subscription that was moved by its first event');
    return state;
  }
}

function isScheduled(event: SubscriptionEvent): event is CurrencyChangeScheduled {
  return event.type === 'subscription.currency_change_scheduled.v1';
}
