import { Inject, Injectable } from '@nestjs/common';
import { targetRules } from '#catalog';
import { appAggregate, type WantedCatalog } from '#domain/app';
import { checkTarget } from '#egress';
import type { CommandExecutor } from '#event-store';
import { COMMAND_EXECUTOR, CommandContexts, invalidFields } from '#nest';
import type { AppSecrets } from '#tenancy';
import type { ApiConfig } from '../../../config.js';
import { APP_SECRETS, CONFIG } from '../../../tokens.js';
import type { CatalogSettingsBody } from '../catalog-settings.dto.js';
import { isSameSecret } from './same-secret.js';

/** Reads the catalog that an app is to have, with its key sealed (rules/catalog 1). */
@Injectable()
export class WantedCatalogs {
  constructor(
    private readonly contexts: CommandContexts,
    @Inject(COMMAND_EXECUTOR) private readonly commands: Pick<CommandExecutor, 'load'>,
    @Inject(APP_SECRETS) private readonly secrets: Pick<AppSecrets, 'open' | 'seal'>,
    @Inject(CONFIG)
    private readonly config: Pick<ApiConfig, 'allowInsecureTargets' | 'webhookPorts'>,
  ) {}

  /** @throws ApiError for an address that may not be called; Fault. */
  async read(
    appId: string,
    { baseUrl, path, apiKeyHeader, apiKey }: CatalogSettingsBody,
  ): Promise<WantedCatalog> {
    await this.requireTarget(appId, baseUrl);
    const sealedApiKey = this.secrets.seal(appId, 'catalog API key', apiKey);
    const isKeyKept = await this.isKeyKept(appId, apiKey);
    return { baseUrl, path, apiKeyHeader, sealedApiKey, isKeyKept };
  }

  /** @throws ApiError for an address that may not be called. */
  async requireTarget(appId: string, baseUrl: string): Promise<void> {
    const app = await this.contexts.requireApp(appId);
    const target = checkTarget(baseUrl, targetRules(app, this.config));
    const description = target.ok ? 'it has a query or a fragment' : target.reason;
    // An empty one counts: the text after it would be no path.
    if (target.ok && !/[?#]/.test(baseUrl)) return;
    throw invalidFields([{ field: 'catalog.baseUrl', description }]);
  }

  /** Read from the store, since this process's memory of the app may be older than the last change. */
  private async isKeyKept(appId: string, apiKey: string): Promise<boolean> {
    const { state } = await this.commands.load(appAggregate, appId);
    if (state.status !== 'created' || state.catalog === null) return false;
    const { sealedApiKey } = state.catalog;
    return isSameSecret(this.secrets, apiKey, appId, 'catalog API key', sealedApiKey);
  }
}
