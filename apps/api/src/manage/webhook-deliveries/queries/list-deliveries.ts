import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { APP_DIRECTORY, notFound } from '#nest';
import { wallClock } from '#platform';
import type { AppDirectory, PersonalData } from '#tenancy';
import { DeliveryLog } from '#worker-state';
import type { PageTokens } from '../../../http/page-token.js';
import { PAGE_TOKENS, PERSONAL_DATA } from '../../../tokens.js';
import type { DeliveryListDto, DeliveryListQuery } from '../delivery.dto.js';
import { MessageBodies } from '../message-bodies.js';
import { renderDelivery } from '../render-delivery.js';

/** A page of the deliveries to an endpoint, the newest attempts first (rules/webhooks 10). */
export class ListDeliveries extends Query<DeliveryListDto> {
  constructor(
    readonly appId: string,
    readonly endpointId: string,
    readonly query: DeliveryListQuery,
  ) {
    super();
  }
}

@QueryHandler(ListDeliveries)
export class ListDeliveriesHandler implements IQueryHandler<ListDeliveries> {
  constructor(
    @Inject(APP_DIRECTORY) private readonly apps: Pick<AppDirectory, 'findEndpoint'>,
    @Inject(DeliveryLog) private readonly log: Pick<DeliveryLog, 'readDeliveries'>,
    @Inject(PAGE_TOKENS) private readonly pageTokens: PageTokens,
    @Inject(PERSONAL_DATA) private readonly personalData: Pick<PersonalData, 'openAnswer'>,
    @Inject(MessageBodies) private readonly bodies: Pick<MessageBodies, 'render'>,
  ) {}

  async execute({ appId, endpointId, query }: ListDeliveries): Promise<DeliveryListDto> {
    const endpoint = await this.apps.findEndpoint(endpointId);
    if (endpoint?.appId !== appId) throw notFound('webhook endpoint', endpointId);
    const { limit, pageToken, webhookId, type, state, since, until } = query;
    const filters = [endpointId, webhookId, type, state, since, until];
    const list = JSON.stringify(['webhook-deliveries', appId, ...filters]);
    const { deliveries, next } = await this.log.readDeliveries(endpointId, {
      ...{ limit, messageId: webhookId, type, state, sinceMs: toMs(since), untilMs: toMs(until) },
      // Attempts are real ones, also those at the endpoints of an app with a test clock.
      nowMs: Date.parse(wallClock.now()),
      after: this.pageTokens.read(list, pageToken),
    });
    const rendering = deliveries.map(async (each) => {
      const body = webhookId === undefined ? null : await this.bodies.render(each);
      return renderDelivery(appId, each, body, this.personalData);
    });
    return {
      deliveries: await Promise.all(rendering),
      nextPageToken: this.pageTokens.next(list, next ?? undefined),
    };
  }
}

/** Its form is checked where the request comes in. */
function toMs(instant: string | undefined): number | undefined {
  return instant === undefined ? undefined : Date.parse(instant);
}
