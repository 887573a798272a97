import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { financeAggregate } from '#domain/finance';
import { type CloseWish, describeClose, findOpenDifferences, prepareClose } from '#finance';
import { answer, type CommandContext, commandWith, Ledger, rejected } from '#nest';
import { wallClock } from '#platform';
import { findParkedStreams } from '#worker-state';
import { Bookkeeper } from '../bookkeeper.js';
import type { CloseDto } from '../close.dto.js';
import { FinanceApps } from '../finance-apps.js';
import { orApiError } from '../finance-errors.js';
import { GatewayAccounts } from '../gateway-accounts.js';
import { requirePeriod } from '../require-period.js';

/** Closes a month, or asks for its close where two people close (rules/finance 31). */
export class ClosePeriod extends commandWith<
  { period: string; reason: string; context: CommandContext; gone: AbortSignal },
  CloseDto
>() {}

@CommandHandler(ClosePeriod)
export class ClosePeriodHandler implements ICommandHandler<ClosePeriod> {
  constructor(
    private readonly ledger: Ledger,
    private readonly apps: FinanceApps,
    private readonly gateways: GatewayAccounts,
    private readonly bookkeeper: Bookkeeper,
  ) {}

  /** @throws ApiError with each gate that is shut, and where no bookkeeper counts; Fault. */
  async execute({ period: text, reason, context, gone }: ClosePeriod): Promise<CloseDto> {
    const period = requirePeriod(text);
    const { appId, actor: by } = context;
    // A key that was used before is answered first: its close would be refused as closed.
    const before = await this.ledger.answerBefore(financeAggregate, appId, context);
    const result = before ?? (await this.#close({ period, by, reason }, context, gone));
    return answer({ period, ...describeClose(period, result.state) }, result);
  }

  async #close(wish: CloseWish, context: CommandContext, gone: AbortSignal) {
    const { appId } = context;
    const app = this.apps.with(context);
    const prepared = await orApiError(() =>
      prepareClose(app, wish, {
        findParked: () => findParkedStreams(app.store, appId),
        findDifferences: async (period) => {
          const books = await this.gateways.list(app, gone);
          return findOpenDifferences(app, { books, now: wallClock.now(), signal: gone }, period);
        },
        count: (period) => this.bookkeeper.count(appId, period, gone),
      }),
    );
    if ('rejection' in prepared) {
      // The same request may have been counted beside this one, and have closed the month.
      const beside = await this.ledger.answerBefore(financeAggregate, appId, context);
      if (beside !== undefined) return beside;
      throw rejected(prepared.rejection);
    }
    return this.ledger.execute(financeAggregate, appId, prepared, context);
  }
}
