import { Inject, Injectable } from '@nestjs/common';
import type { FinanceApp } from '#finance';
import type { GatewayBooks } from '#gateway';
import { listBooks } from '#gateway/apps';
import type { AppSecrets } from '#tenancy';
import type { ApiConfig } from '../../config.js';
import { APP_SECRETS, CONFIG } from '../../tokens.js';

/** The gateways' own books of apps. */
@Injectable()
export class GatewayAccounts {
  constructor(
    @Inject(APP_SECRETS) private readonly secrets: AppSecrets,
    @Inject(CONFIG) private readonly config: Pick<ApiConfig, 'stripeStandIn'>,
  ) {}

  /** @throws Fault of the store. */
  list(app: FinanceApp, signal: AbortSignal): Promise<readonly GatewayBooks[]> {
    const { stripeStandIn } = this.config;
    const { store, commands, appId } = app;
    return listBooks({ store, commands, appId, secrets: this.secrets, stripeStandIn, signal });
  }
}
