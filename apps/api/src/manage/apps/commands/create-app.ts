import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { appAggregate } from '#domain/app';
import { readBucket } from '#domain/ids';
import { ALL_APPS } from '#domain/operator-tokens';
import { answer, CLOCK, CommandContexts, type CommandSource, commandWith } from '#nest';
import { type Clock, newAppId } from '#platform';
import type { AppSecrets } from '#tenancy';
import { Creations, secretShownAlready } from '../../../commands/creations.js';
import { APP_SECRETS } from '../../../tokens.js';
import { FollowedLedger } from '../../followed-ledger.js';
import type { CreateAppBody, CreatedAppDto } from '../app.dto.js';

/** Creates an app; its secrets are shown in this answer and never again (rules/api 18). */
export class CreateApp extends commandWith<
  { app: CreateAppBody; source: CommandSource },
  CreatedAppDto
>() {}

@CommandHandler(CreateApp)
export class CreateAppHandler implements ICommandHandler<CreateApp> {
  constructor(
    private readonly ledger: FollowedLedger,
    private readonly contexts: CommandContexts,
    private readonly creations: Creations,
    @Inject(APP_SECRETS) private readonly secrets: AppSecrets,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws ApiError 10 SECRET_SHOWN_ALREADY where the key has made an app before (rules/api 13). */
  async execute({ app: { name, environment }, source }: CreateApp): Promise<CreatedAppDto> {
    const now = this.clock.now();
    const drawnId = newAppId(now);
    const keyed = this.contexts.forNewApp(source, { appId: drawnId, environment, createdAt: now });
    const begun = await this.creations.begin('app', keyed, readBucket(drawnId), ALL_APPS);
    const { id: appId, at: createdAt } = begun;
    const { sealed, shown } = await this.secrets.createFor(appId);
    const app = { appId, name, environment, createdAt, ...sealed };
    const command = { kind: 'CreateApp', app } as const;
    const context = { ...begun.context, appId };
    const result = await this.ledger.execute(appAggregate, appId, command, context);
    if (result.events.length === 0) throw secretShownAlready(appId);
    return answer({ appId, name, environment, ...shown }, result);
  }
}
