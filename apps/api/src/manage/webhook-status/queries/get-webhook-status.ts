import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { CommandContexts } from '#nest';
import { EndpointStatuses } from '../endpoint-statuses.js';
import type { AppWebhookStatusDto } from '../webhook-status.dto.js';

/** How the endpoints of an app are (rules/webhooks 12). */
export class GetWebhookStatus extends Query<AppWebhookStatusDto> {
  constructor(readonly appId: string) {
    super();
  }
}

@QueryHandler(GetWebhookStatus)
export class GetWebhookStatusHandler implements IQueryHandler<GetWebhookStatus> {
  constructor(
    private readonly contexts: CommandContexts,
    private readonly statuses: EndpointStatuses,
  ) {}

  async execute({ appId }: GetWebhookStatus): Promise<AppWebhookStatusDto> {
    await this.contexts.requireApp(appId);
    const [endpoints = []] = await this.statuses.find([appId]);
    return { appId, endpoints };
  }
}
