import { Inject, Injectable } from '@nestjs/common';
import { targetRules } from '#catalog';
import type { TokenIssuer } from '#domain/app';
import { checkTarget } from '#egress';
import { CommandContexts, invalidFields } from '#nest';
import type { ApiConfig } from '../../../config.js';
import { CONFIG } from '../../../tokens.js';
import type { TokenIssuerBody } from '../token-issuer.dto.js';

/** Reads the token issuer that an app is to have (rules/api 11). */
@Injectable()
export class WantedTokenIssuers {
  constructor(
    private readonly contexts: CommandContexts,
    @Inject(CONFIG)
    private readonly config: Pick<ApiConfig, 'allowInsecureTargets' | 'webhookPorts'>,
  ) {}

  /** @throws ApiError for an address that may not be called; Fault. */
  async read(appId: string, { issuer, jwksUrl, audience }: TokenIssuerBody): Promise<TokenIssuer> {
    await this.requireTarget(appId, jwksUrl);
    return { issuer, jwksUrl, audience };
  }

  /** @throws ApiError for an address that may not be called. */
  async requireTarget(appId: string, jwksUrl: string): Promise<void> {
    const app = await this.contexts.requireApp(appId);
    const target = checkTarget(jwksUrl, targetRules(app, this.config));
    if (target.ok) return;
    throw invalidFields([{ field: 'tokenIssuer.jwksUrl', description: target.reason }]);
  }
}
