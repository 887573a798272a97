import { Inject, Injectable } from '@nestjs/common';
import { appAggregate, type WantedGateway } from '#domain/app';
import type { CommandExecutor } from '#event-store';
import { COMMAND_EXECUTOR, invalidFields } from '#nest';
import type { AppSecrets } from '#tenancy';
import { APP_SECRETS } from '../../../tokens.js';
import type { GatewayBody } from '../app.dto.js';
import { isSameSecret } from './same-secret.js';

/** As much of a key as an operator knows it by. */
const ENDING = 4;

/** Reads the gateway that an app is to have, with its secrets sealed (rules/stripe 8). */
@Injectable()
export class WantedGateways {
  constructor(
    @Inject(COMMAND_EXECUTOR) private readonly commands: Pick<CommandExecutor, 'load'>,
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
      ...this.sealKeys(appId, secretKey ?? '', webhookSecret ?? ''),
      areKept: await this.areKept(appId, secretKey ?? '', webhookSecret ?? ''),
    };
  }

  private sealKeys(appId: string, secretKey: string, webhookSecret: string) {
    return {
      sealedSecretKey: this.secrets.seal(appId, 'Stripe secret key', secretKey),
      sealedWebhookSecret: this.secrets.seal(appId, 'Stripe webhook secret', webhookSecret),
    };
  }

  /**
   * Whether the app has these keys already: each seal differs, so that they are opened. They are read from the store,
   * since this process's memory of the app may be older than the last change.
   */
  private async areKept(appId: string, secretKey: string, webhookSecret: string): Promise<boolean> {
    const { state } = await this.commands.load(appAggregate, appId);
    const kept = state.status === 'created' ? state.stripeKeys : null;
    if (kept === null) return false;
    return (
      isSameSecret(this.secrets, secretKey, appId, 'Stripe secret key', kept.sealedSecretKey) &&
      isSameSecret(
        this.secrets,
        ...([webhookSecret, appId, 'Stripe webhook secret', kept.sealedWebhookSecret] as const),
      )
    );
  }
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
