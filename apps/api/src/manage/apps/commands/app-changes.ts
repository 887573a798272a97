import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { appAggregate } from '#domain/app';
import { addMilliseconds } from '#domain/calendar';
import { type DunningPolicy, RETRIED_DECLINE_CLASSES } from '#domain/dunning';
import { SEAL_WITNESSES_ID, sealWitnessesAggregate } from '#domain/seal';
import { answer, CLOCK, type CommandContext, commandWith, Ledger } from '#nest';
import type { Clock } from '#platform';
import type { AppSecrets, OperatorIdentity } from '#tenancy';
import { requireAllApps } from '../../../auth/operator-scope.js';
import { secretShownAlready } from '../../../commands/creations.js';
import { APP_SECRETS } from '../../../tokens.js';
import { FollowedLedger } from '../../followed-ledger.js';
import type {
  AppDto,
  DunningDto,
  IngressSecretDto,
  SegmentDto,
  UpdateAppBody,
} from '../app.dto.js';
import { answerApp } from '../queries/read-apps.js';
import { WantedSettings } from './wanted-settings.js';

/** Adds a segment to an app: plan codes are unique within one (rules/api 17). */
export class AddSegment extends commandWith<
  { segment: SegmentDto; context: CommandContext },
  SegmentDto
>() {}

@CommandHandler(AddSegment)
export class AddSegmentHandler implements ICommandHandler<AddSegment> {
  constructor(private readonly ledger: FollowedLedger) {}

  async execute({ segment: { segmentId, name }, context }: AddSegment): Promise<SegmentDto> {
    const command = { kind: 'AddSegment', segmentId, name } as const;
    const { appId } = context;
    const result = await this.ledger.execute(appAggregate, appId, command, context);
    return answer({ segmentId, name }, result);
  }
}

/** Renames an app, or sets how it recovers failed renewals, who may call it, its gateway, its catalog and its witnessing. */
export class ConfigureApp extends commandWith<
  { changes: UpdateAppBody; operator: OperatorIdentity; context: CommandContext },
  AppDto
>() {}

@CommandHandler(ConfigureApp)
export class ConfigureAppHandler implements ICommandHandler<ConfigureApp> {
  constructor(
    private readonly ledger: FollowedLedger,
    private readonly wanted: WantedSettings,
    /** No process follows the list of witnesses. */
    @Inject(Ledger) private readonly unfollowed: Pick<Ledger, 'execute'>,
  ) {}

  /** @throws ApiError 7 where an operator for some apps sets whether this one may witness the ledger. */
  async execute({ changes, operator, context }: ConfigureApp): Promise<AppDto> {
    const { sealWitness } = changes;
    if (sealWitness !== undefined) requireAllApps(operator);
    if (sealWitness === true) await this.#listWitness(context);
    const { name, dunning, allowedOrigins, defaultRegionCode, gateway, catalog } = changes;
    const { tokenIssuer, onLostDispute } = changes;
    const command = {
      kind: 'ConfigureApp',
      name,
      dunning: dunning && toPolicy(dunning),
      onLostDispute,
      allowedOrigins: allowedOrigins && [...new Set(allowedOrigins)],
      defaultRegionCode,
      sealWitness,
      gateway: gateway && (await this.wanted.readGateway(context.appId, gateway)),
      catalog: catalog && (await this.wanted.readCatalog(context.appId, catalog)),
      tokenIssuer: tokenIssuer && (await this.wanted.readTokenIssuer(context.appId, tokenIssuer)),
    } as const;
    return answerApp(await this.ledger.execute(appAggregate, context.appId, command, context));
  }

  /** First, so that no app that may witness the ledger is missing in the list, whatever ends this process when. */
  async #listWitness({ appId, environment, actor, correlationId, now }: CommandContext) {
    const context = { appId, environment, actor, correlationId, now };
    const command = { kind: 'ListSealWitness', appId } as const;
    await this.unfollowed.execute(sealWitnessesAggregate, SEAL_WITNESSES_ID, command, context);
  }
}

/** Each value once and in one order, so that the same settings are no change. */
function toPolicy({
  graceHours,
  retryAfterHours,
  retriedDeclineClasses,
}: DunningDto): DunningPolicy {
  return {
    graceHours,
    retryAfterHours: [...new Set(retryAfterHours)].sort((a, b) => a - b),
    retriedDeclineClasses: RETRIED_DECLINE_CLASSES.filter((each) =>
      retriedDeclineClasses.includes(each),
    ),
  };
}

/** Gives an app a new ingress secret; the old one stays valid for a while (rules/api 11). */
export class RotateIngressSecret extends commandWith<
  { expireOldAfterSeconds: number; context: CommandContext },
  IngressSecretDto
>() {}

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
