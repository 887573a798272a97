import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { appAggregate } from '#domain/app';
import { type DunningPolicy, RETRIED_DECLINE_CLASSES } from '#domain/dunning';
import type { CommandContext } from '#nest';
import { FollowedLedger } from '../../followed-ledger.js';
import type { AppDto, DunningDto, UpdateAppBody } from '../app.dto.js';
import { answerApp } from '../render-app.js';
import { WantedCatalogs } from './wanted-catalogs.js';
import { WantedGateways } from './wanted-gateways.js';
import { WantedTokenIssuers } from './wanted-token-issuers.js';

/** Renames an app, or sets how it recovers failed renewals, who may call it, its gateway and its catalog. */
export class ConfigureApp extends Command<AppDto> {
  constructor(
    readonly changes: UpdateAppBody,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(ConfigureApp)
export class ConfigureAppHandler implements ICommandHandler<ConfigureApp> {
  constructor(
    private readonly ledger: FollowedLedger,
    private readonly gateways: WantedGateways,
    private readonly catalogs: WantedCatalogs,
    private readonly tokenIssuers: WantedTokenIssuers,
  ) {}

  async execute({ changes, context }: ConfigureApp): Promise<AppDto> {
    const { name, dunning, allowedOrigins, defaultRegionCode, gateway, catalog } = changes;
    const { tokenIssuer, onLostDispute } = changes;
    const command = {
      kind: 'ConfigureApp',
      name,
      dunning: dunning && toPolicy(dunning),
      onLostDispute,
      allowedOrigins: allowedOrigins && [...new Set(allowedOrigins)],
      defaultRegionCode,
      gateway: gateway && (await this.gateways.read(context.appId, gateway)),
      catalog: catalog && (await this.catalogs.read(context.appId, catalog)),
      tokenIssuer: tokenIssuer && (await this.tokenIssuers.read(context.appId, tokenIssuer)),
    } as const;
    return answerApp(await this.ledger.execute(appAggregate, context.appId, command, context));
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
