import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { importPayout } from '#finance';
import { openPayouts } from '#gateway/apps';
import { CommandContexts, type CommandSource, commandWith } from '#nest';
import type { AppSecrets } from '#tenancy';
import type { ApiConfig } from '../../../config.js';
import { APP_SECRETS, CONFIG } from '../../../tokens.js';
import { FinanceApps } from '../finance-apps.js';
import { orApiError } from '../finance-errors.js';
import type { ImportReportDto } from '../finance.dto.js';

/** Takes the rows of a payout by Stripe's API, or none of them (rules/finance 32). */
export class ImportPayout extends commandWith<
  { appId: string; payoutId: string; source: CommandSource; gone: AbortSignal },
  ImportReportDto
>() {}

@CommandHandler(ImportPayout)
export class ImportPayoutHandler implements ICommandHandler<ImportPayout> {
  constructor(
    private readonly apps: FinanceApps,
    private readonly contexts: CommandContexts,
    @Inject(APP_SECRETS) private readonly secrets: AppSecrets,
    @Inject(CONFIG) private readonly config: Pick<ApiConfig, 'stripeStandIn'>,
  ) {}

  /** @throws ApiError for a payout that is not there, and with every bad row; Fault of the store or of Stripe. */
  async execute({ appId, payoutId, source, gone }: ImportPayout): Promise<ImportReportDto> {
    const app = await this.apps.open(appId, source);
    const { stripeStandIn } = this.config;
    const read = openPayouts(await this.contexts.requireApp(appId), this.secrets, stripeStandIn);
    const { appId: _, ...report } = await orApiError(() =>
      importPayout(app, { payoutId, read, signal: gone }),
    );
    return report;
  }
}
