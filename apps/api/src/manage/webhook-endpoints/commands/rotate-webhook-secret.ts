import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { parseInstant } from '#domain/calendar';
import { answer, CLOCK, type CommandContext, commandWith } from '#nest';
import type { Clock } from '#platform';
import type { AppSecrets } from '#tenancy';
import { showSecret } from '#webhooks';
import { secretShownAlready } from '../../../commands/creations.js';
import { APP_SECRETS } from '../../../tokens.js';
import { FollowedLedger } from '../../followed-ledger.js';
import type { RotateWebhookSecretBody, WebhookSecretDto } from '../webhook-endpoint.dto.js';
import { executeOnEndpoint } from './endpoint-changes.js';

/** Gives an endpoint a new secret; the former ones stay valid for a while (rules/webhooks 7). */
export class RotateWebhookSecret extends commandWith<
  { id: string; body: RotateWebhookSecretBody; context: CommandContext },
  WebhookSecretDto
>() {}

@CommandHandler(RotateWebhookSecret)
export class RotateWebhookSecretHandler implements ICommandHandler<RotateWebhookSecret> {
  constructor(
    private readonly ledger: FollowedLedger,
    @Inject(APP_SECRETS) private readonly secrets: AppSecrets,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ id, body, context }: RotateWebhookSecret): Promise<WebhookSecretDto> {
    const { expireOldAfterSeconds, useFrom } = body;
    const { shown, sealed } = this.secrets.create(context.appId, 'webhook secret');
    const command = {
      kind: 'RotateWebhookSecret',
      sealedSecret: sealed,
      overlapMs: expireOldAfterSeconds * 1000,
      useFrom: parseInstant(useFrom ?? ''),
      // Signatures are made by the wall clock, whatever a test clock shows.
      wallNow: this.clock.now(),
    } as const;
    const result = await executeOnEndpoint(this.ledger, id, command, context);
    if (result.replayed) throw secretShownAlready(id);
    return answer({ secret: showSecret(shown) }, result);
  }
}
