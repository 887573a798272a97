import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { CommandContexts } from '#nest';
import type { AppDto } from '../app.dto.js';
import { renderApp } from '../render-app.js';

/** One app, without its secrets. */
export class GetApp extends Query<AppDto> {
  constructor(readonly appId: string) {
    super();
  }
}

@QueryHandler(GetApp)
export class GetAppHandler implements IQueryHandler<GetApp> {
  constructor(private readonly contexts: CommandContexts) {}

  async execute({ appId }: GetApp): Promise<AppDto> {
    return renderApp(await this.contexts.requireApp(appId));
  }
}
