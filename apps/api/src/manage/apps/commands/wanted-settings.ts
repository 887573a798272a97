import { timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { targetRules } from '#catalog';
import {
  appAggregate,
  type TokenIssuer,
  type WantedCatalog,
  type WantedGateway,
} from '#domain/app';
import { checkTarget } from '#egress';
import type { CommandExecutor } from '#event-store';
import { COMMAND_EXECUTOR, CommandContexts, invalidFields } from '#nest';
import { Fault } from '#platform';
import type { AppSecrets } from '#tenancy';
import type { ApiConfig } from '../../../config.js';
import { APP_SECRETS, CONFIG } from '../../../tokens.js';
import type { GatewayBody } from '../app.dto.js';
import type { CatalogSettingsBody } from '../catalog-settings.dto.js';
import type { TokenIssuerBody } from '../token-issuer.dto.js';

/** As much of a key as an operator knows it by. */
const ENDING = 4;

/** Reads the settings that an app is to have: their secrets are sealed, and their addresses may be called. */
@Injectable()
export class WantedSettings {
  constructor(
    private readonly contexts: CommandContexts,
    @Inject(COMMAND_EXECUTOR) private readonly commands: Pick<CommandExecutor, 'load'>,
    @Inject(APP_SECRETS) private readonly secrets: Pick<AppSecrets, 'open' | 'seal'>,
    @Inject(CONFIG)
    private readonly config: Pick<ApiConfig, 'allowInsecureTargets' | 'webhookPorts'>,
  ) {}

  /** rules/stripe 8. @throws ApiError for a field that is missing, or is of another kind of gateway; Fault. */
  async readGateway(appId: string, { kind, ...keys }: GatewayBody): Promise<WantedGateway> {
    const { secretKey = '', webhookSecret = '' } = keys;
    if (kind === 'sandbox') {
      requireFields(keys, 'must be absent: the sandbox has no secrets', false);
      return { kind };
    }
    requireFields(keys, 'is needed for stripe', true);
    const kept = (await this.#load(appId))?.stripeKeys;
    return {
      kind,
      isLive: /^.k_live_/.test(secretKey),
      secretKeyEnding: secretKey.slice(-ENDING),
      sealedSecretKey: this.secrets.seal(appId, 'Stripe secret key', secretKey),
      sealedWebhookSecret: this.secrets.seal(appId, 'Stripe webhook secret', webhookSecret),
      areKept:
        this.#isSame(secretKey, appId, 'Stripe secret key', kept?.sealedSecretKey) &&
        this.#isSame(webhookSecret, appId, 'Stripe webhook secret', kept?.sealedWebhookSecret),
    };
  }

  /** rules/catalog 1. @throws ApiError for an address that may not be called; Fault. */
  async readCatalog(appId: string, wanted: CatalogSettingsBody): Promise<WantedCatalog> {
    const { baseUrl, path, apiKeyHeader, apiKey } = wanted;
    await this.requireCatalog(appId, baseUrl);
    const sealedApiKey = this.secrets.seal(appId, 'catalog API key', apiKey);
    const kept = (await this.#load(appId))?.catalog?.sealedApiKey;
    const isKeyKept = this.#isSame(apiKey, appId, 'catalog API key', kept);
    return { baseUrl, path, apiKeyHeader, sealedApiKey, isKeyKept };
  }

  /** rules/api 11. @throws ApiError for an address that may not be called; Fault. */
  async readTokenIssuer(appId: string, wanted: TokenIssuerBody): Promise<TokenIssuer> {
    const { issuer, jwksUrl, audience } = wanted;
    await this.requireTokenIssuer(appId, jwksUrl);
    return { issuer, jwksUrl, audience };
  }

  /** @throws ApiError for an address that may not be called. */
  requireCatalog(appId: string, baseUrl: string): Promise<void> {
    // An empty one counts: the text after it would be no path.
    const refusal = /[?#]/.test(baseUrl) ? 'it has a query or a fragment' : undefined;
    return this.#requireTarget(appId, 'catalog.baseUrl', baseUrl, refusal);
  }

  /** @throws ApiError for an address that may not be called. */
  requireTokenIssuer(appId: string, jwksUrl: string): Promise<void> {
    return this.#requireTarget(appId, 'tokenIssuer.jwksUrl', jwksUrl);
  }

  async #requireTarget(appId: string, field: string, url: string, refusal?: string): Promise<void> {
    const app = await this.contexts.requireApp(appId);
    const target = checkTarget(url, targetRules(app, this.config));
    const description = target.ok ? refusal : target.reason;
    if (description !== undefined) throw invalidFields([{ field, description }]);
  }

  /** From the store, since this process's memory of the app may be older than the last change. */
  async #load(appId: string) {
    const { state } = await this.commands.load(appAggregate, appId);
    return state.status === 'created' ? state : undefined;
  }

  /**
   * Whether a secret that an operator gives is the one that the app has: each seal differs, so that it is opened. One
   * that opens by no master key that there is can only be replaced.
   */
  #isSame(
    given: string,
    appId: string,
    purpose: Parameters<AppSecrets['open']>[1],
    sealed: string | undefined,
  ): boolean {
    if (sealed === undefined) return false;
    try {
      const left = Buffer.from(this.secrets.open(appId, purpose, sealed));
      const right = Buffer.from(given);
      return left.length === right.length && timingSafeEqual(left, right);
    } catch (error) {
      if (error instanceof Fault && error.code === 'undecodable') return false;
      throw error;
    }
  }
}

function requireFields(
  fields: Readonly<Record<string, string | undefined>>,
  description: string,
  areNeeded: boolean,
): void {
  const violations = ['secretKey', 'webhookSecret']
    .filter((name) => (fields[name] !== undefined) !== areNeeded)
    .map((name) => ({ field: `gateway.${name}`, description }));
  if (violations.length > 0) throw invalidFields(violations);
}
