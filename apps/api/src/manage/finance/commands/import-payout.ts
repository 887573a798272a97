import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandExecutor, LedgerStore } from '#event-store';
import { importPayout } from '#finance';
import { openPayouts } from '#gateway/apps';
import {
  COMMAND_EXECUTOR,
  CommandContexts,
  type CommandSource,
  commandWith,
  EVENT_STORE,
} from '#nest';
import type { AppSecrets } from '#tenancy';
import type { ApiConfig } from '../../../config.js';
import { APP_SECRETS, CONFIG } from '../../../tokens.js';
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
    private readonly contexts: CommandContexts,
    @Inject(EVENT_STORE) private readonly store: LedgerStore,
    @Inject(COMMAND_EXECUTOR) private readonly commands: CommandExecutor,
    @Inject(APP_SECRETS) private readonly secrets: AppSecrets,
    @Inject(CONFIG) private readonly config: Pick<ApiConfig, 'stripeStandIn'>,
  ) {}

  /** @throws ApiError for a payout that is not there, and with every bad row; Fault of the store or of Stripe. */
  async execute({ appId, payoutId, source, gone }: ImportPayout): Promise<ImportReportDto> {
    const { store, commands, secrets, contexts } = this;
    const context = await contexts.withoutIdempotency(source, appId);
    const { stripeStandIn } = this.config;
    const read = openPayouts(await contexts.requireApp(appId), secrets, stripeStandIn);
    const app = { appId, store, commands, context };
    const { appId: _, ...report } = await orApiError(() =>
      importPayout(app, { payoutId, read, signal: gone }),
    );
    return report;
  }
}
