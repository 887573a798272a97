import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { reconcilePayout } from '#finance';
import { listBooks } from '#gateway/apps';
import { type CommandSource, queryWith } from '#nest';
import type { AppSecrets } from '#tenancy';
import type { ApiConfig } from '../../../config.js';
import { APP_SECRETS, CONFIG } from '../../../tokens.js';
import { FinanceApps } from '../finance-apps.js';
import { orApiError } from '../finance-errors.js';
import type { ReconciledPayoutDto } from '../finance.dto.js';

/** Each row of a payout beside the amounts of ledger and gateway (rules/finance 34). */
export class ReconcilePayout extends queryWith<
  { appId: string; payoutId: string; source: CommandSource; gone: AbortSignal },
  ReconciledPayoutDto
>() {}

@QueryHandler(ReconcilePayout)
export class ReconcilePayoutHandler implements IQueryHandler<ReconcilePayout> {
  constructor(
    private readonly apps: FinanceApps,
    @Inject(APP_SECRETS) private readonly secrets: AppSecrets,
    @Inject(CONFIG) private readonly config: Pick<ApiConfig, 'stripeStandIn'>,
  ) {}

  /** @throws ApiError for a payout without rows; Fault. */
  async execute({ appId, payoutId, source, gone }: ReconcilePayout): Promise<ReconciledPayoutDto> {
    const app = await this.apps.open(appId, source);
    const { store, commands } = app;
    const { stripeStandIn } = this.config;
    const { secrets } = this;
    const books = await listBooks({ store, commands, secrets, stripeStandIn, signal: gone });
    const rows = await orApiError(() => reconcilePayout(app, books, payoutId, { signal: gone }));
    const open = rows.filter(({ state }) => state === 'open').length;
    return { payout: payoutId, open, rows: [...rows] };
  }
}
