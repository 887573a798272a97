import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { appAggregate } from '#domain/app';
import type { CommandContext } from '#nest';
import { FollowedLedger } from '../../followed-ledger.js';
import type { AppDto, UpdateAppBody } from '../app.dto.js';
import { answerApp } from '../render-app.js';

/** Renames an app, or sets how it recovers failed renewals and which pages may call it. */
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
  constructor(private readonly ledger: FollowedLedger) {}

  async execute({ changes, context }: ConfigureApp): Promise<AppDto> {
    const { name, dunning, allowedOrigins } = changes;
    const retries = [...new Set(dunning?.retryAfterHours)].sort((a, b) => a - b);
    const command = {
      kind: 'ConfigureApp',
      name,
      dunning: dunning && { graceHours: dunning.graceHours, retryAfterHours: retries },
      allowedOrigins: allowedOrigins && [...new Set(allowedOrigins)],
    } as const;
    return answerApp(
      await this.ledger.execute(appAggregate, context.appId, command, context, { what: 'app' }),
    );
  }
}
