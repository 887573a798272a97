import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { reconcilePayout } from '#finance';
import { type CommandSource, queryWith } from '#nest';
import { FinanceApps } from '../finance-apps.js';
import { orApiError } from '../finance-errors.js';
import type { ReconciledPayoutDto } from '../finance.dto.js';
import { GatewayAccounts } from '../gateway-accounts.js';

/** Each row of a payout beside the amounts of ledger and gateway (rules/finance 34). */
export class ReconcilePayout extends queryWith<
  { appId: string; payoutId: string; source: CommandSource; gone: AbortSignal },
  ReconciledPayoutDto
>() {}

@QueryHandler(ReconcilePayout)
export class ReconcilePayoutHandler implements IQueryHandler<ReconcilePayout> {
  constructor(
    private readonly apps: FinanceApps,
    private readonly gateways: GatewayAccounts,
  ) {}

  /** @throws ApiError for a payout without rows; Fault. */
  async execute({ appId, payoutId, source, gone }: ReconcilePayout): Promise<ReconciledPayoutDto> {
    const app = await this.apps.open(appId, source);
    const books = await this.gateways.list(app, gone);
    const rows = await orApiError(() => reconcilePayout(app, books, payoutId, { signal: gone }));
    const open = rows.filter(({ state }) => state === 'open').length;
    return { payout: payoutId, open, rows: [...rows] };
  }
}
