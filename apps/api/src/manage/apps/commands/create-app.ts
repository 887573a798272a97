import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { appAggregate } from '#domain/app';
import { answer, CLOCK, CommandContexts, type CommandSource } from '#nest';
import { type Clock, newAppId } from '#platform';
import type { AppSecrets } from '#tenancy';
import { APP_SECRETS } from '../../../tokens.js';
import { FollowedLedger } from '../../followed-ledger.js';
import type { CreateAppBody, CreatedAppDto } from '../app.dto.js';

/** Creates an app; its secrets are shown in this answer and never again (rules/api 18). */
export class CreateApp extends Command<CreatedAppDto> {
  constructor(
    readonly app: CreateAppBody,
    readonly source: CommandSource,
  ) {
    super();
  }
}

@CommandHandler(CreateApp)
export class CreateAppHandler implements ICommandHandler<CreateApp> {
  constructor(
    private readonly ledger: FollowedLedger,
    private readonly contexts: CommandContexts,
    @Inject(APP_SECRETS) private readonly secrets: AppSecrets,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ app: { name, environment }, source }: CreateApp): Promise<CreatedAppDto> {
    const createdAt = this.clock.now();
    const appId = newAppId(createdAt);
    const { sealed, shown } = await this.secrets.createFor(appId);
    const app = { appId, name, environment, createdAt, ...sealed };
    const context = this.contexts.forNewApp(source, app);
    const command = { kind: 'CreateApp', app } as const;
    const result = await this.ledger.execute(appAggregate, appId, command, context, WHAT);
    return answer({ appId, name, environment, ...shown }, result);
  }
}

const WHAT = { what: 'app' };
