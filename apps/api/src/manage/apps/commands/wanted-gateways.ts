import { timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { WantedGateway } from '#domain/app';
import { APP_DIRECTORY, invalidFields } from '#nest';
import type { AppDirectory, AppSecrets } from '#tenancy';
import { APP_SECRETS } from '../../../tokens.js';
import type { GatewayBody } from '../app.dto.js';

/** As much of a key as an operator knows it by. */
const ENDING = 4;

/** Reads the gateway that an app is to have, with its secrets sealed (rules/stripe 8). */
@Injectable()
export class WantedGateways {
  constructor(
    @Inject(APP_DIRECTORY) private readonly apps: Pick<AppDirectory, 'find'>,
    @Inject(APP_SECRETS) private readonly secrets: Pick<AppSecrets, 'open' | 'seal'>,
  ) {}

  /** @throws ApiError for a field that is missing, or is of another kind of gateway; Fault. */
  async read(
    appId: string,
    { kind, secretKey, webhookSecret }: GatewayBody,
  ): Promise<WantedGateway> {
    if (kind === 'sandbox') {
      requireFields(
        { secretKey, webhookSecret },
        'must be absent: the sandbox has no secrets',
        false,
      );
      return { kind };
    }
    requireFields({ secretKey, webhookSecret }, 'is needed for stripe', true);
    return {
      kind,
      isLive: /^.k_live_/.test(secretKey ?? ''),
      secretKeyEnding: (secretKey ?? '').slice(-ENDING),
      ...(await this.sealKeys(appId, secretKey ?? '', webhookSecret ?? '')),
    };
  }

  /** Each seal differs: the same keys again keep the one that they have, and are no change. */
  private async sealKeys(appId: string, secretKey: string, webhookSecret: string) {
    const { stripeKeys: kept } = (await this.apps.find(appId)) ?? {};
    const { secrets } = this;
    const isSame =
      kept &&
      isEqual(secrets.open(appId, 'Stripe secret key', kept.sealedSecretKey), secretKey) &&
      isEqual(
        secrets.open(appId, 'Stripe webhook secret', kept.sealedWebhookSecret),
        webhookSecret,
      );
    if (isSame) return kept;
    return {
      sealedSecretKey: this.secrets.seal(appId, 'Stripe secret key', secretKey),
      sealedWebhookSecret: this.secrets.seal(appId, 'Stripe webhook secret', webhookSecret),
    };
  }
}

function isEqual(kept: string, given: string): boolean {
  const [left, right] = [Buffer.from(kept), Buffer.from(given)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function requireFields(
  fields: Readonly<Record<string, string | undefined>>,
  description: string,
  areNeeded: boolean,
): void {
  const violations = Object.entries(fields)
    .filter(([, value]) => (value !== undefined) !== areNeeded)
    .map(([name]) => ({ field: `gateway.${name}`, description }));
  if (violations.length > 0) throw invalidFields(violations);
}
