import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { appAggregate } from '#domain/app';
import { addMilliseconds } from '#domain/calendar';
import { answer, CLOCK, type CommandContext } from '#nest';
import type { Clock } from '#platform';
import type { AppSecrets } from '#tenancy';
import { secretShownAlready } from '../../../commands/shown-secrets.js';
import { APP_SECRETS } from '../../../tokens.js';
import { FollowedLedger } from '../../followed-ledger.js';
import type { IngressSecretDto } from '../app.dto.js';

/** Gives an app a new ingress secret; the old one stays valid for a while (rules/api 11). */
export class RotateIngressSecret extends Command<IngressSecretDto> {
  constructor(
    readonly expireOldAfterSeconds: number,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(RotateIngressSecret)
export class RotateIngressSecretHandler implements ICommandHandler<RotateIngressSecret> {
  constructor(
    private readonly ledger: FollowedLedger,
    @Inject(APP_SECRETS) private readonly secrets: AppSecrets,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({
    expireOldAfterSeconds,
    context,
  }: RotateIngressSecret): Promise<IngressSecretDto> {
    const { appId } = context;
    const { shown, sealed } = this.secrets.create(appId, 'ingress secret');
    const wallNow = this.clock.now();
    const oldExpiresAt = addMilliseconds(wallNow, expireOldAfterSeconds * 1000);
    const secret = { sealedIngressSecret: sealed, oldExpiresAt };
    const command = { kind: 'RotateIngressSecret', secret, wallNow } as const;
    const result = await this.ledger.execute(appAggregate, appId, command, context);
    if (result.replayed) throw secretShownAlready(appId);
    return answer({ ingressSecret: shown }, result);
  }
}
