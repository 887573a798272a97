import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { APP_DIRECTORY, CommandContexts, notFound, queryWith } from '#nest';
import type { AppDirectory } from '#tenancy';
import type { PageTokens } from '../../../http/page-token.js';
import { PAGE_TOKENS } from '../../../tokens.js';
import {
  FailedDeliveries,
  type FailedDelivery,
} from '../../webhook-endpoints/failed-deliveries.js';
import type {
  WebhookFailureDto,
  WebhookFailureListDto,
  WebhookFailureListQuery,
} from '../webhook-status.dto.js';

/** A page of the deliveries that were given up at an app's endpoints, the last one first (rules/webhooks 12). */
export class ListWebhookFailures extends queryWith<
  { appId: string; query: WebhookFailureListQuery },
  WebhookFailureListDto
>() {}

@QueryHandler(ListWebhookFailures)
export class ListWebhookFailuresHandler implements IQueryHandler<ListWebhookFailures> {
  constructor(
    private readonly contexts: CommandContexts,
    @Inject(APP_DIRECTORY)
    private readonly apps: Pick<AppDirectory, 'findEndpoint' | 'listEndpoints'>,
    @Inject(PAGE_TOKENS) private readonly pageTokens: PageTokens,
    private readonly failed: FailedDeliveries,
  ) {}

  async execute({ appId, query }: ListWebhookFailures): Promise<WebhookFailureListDto> {
    await this.contexts.requireApp(appId);
    const { endpointId, limit, pageToken } = query;
    if (endpointId !== undefined) await this.#requireEndpoint(appId, endpointId);
    const list = JSON.stringify(['webhook-failures', appId, endpointId]);
    const after = this.pageTokens.read(list, pageToken);
    // Deliveries that were given up at a deleted endpoint cannot be sent any more.
    const there = await this.apps.listEndpoints(appId);
    const targets = new Set(there.map((endpoint) => endpoint.endpointId));
    const listed = await this.failed.findSendable(
      ({ target }) => targets.has(target) && target === (endpointId ?? target),
    );
    const failed = listed
      .map((each) => ({ each, place: findPlace(each) }))
      .filter(({ place }) => after === undefined || place < after)
      .sort((left, right) => (left.place > right.place ? -1 : 1));
    const shown = failed.slice(0, limit);
    const hasMore = failed.length > shown.length;
    return {
      failures: shown.map(({ each }) => renderFailure(each)),
      nextPageToken: this.pageTokens.next(list, hasMore ? shown.at(-1)?.place : undefined),
    };
  }

  async #requireEndpoint(appId: string, endpointId: string): Promise<void> {
    const endpoint = await this.apps.findEndpoint(endpointId);
    if (endpoint?.appId !== appId) throw notFound('webhook endpoint', endpointId);
  }
}

/** Where it stands in the list: no two are the same message at the same endpoint at the same time. */
function findPlace({ exhaustedAt, position, target, messageId }: FailedDelivery): string {
  return [exhaustedAt, position, target, messageId].join(' ');
}

function renderFailure(failed: FailedDelivery): WebhookFailureDto {
  const { messageId, target, exhaustedAt, type, streamName, revision, attempts, reason } = failed;
  return {
    ...{ webhookId: messageId, endpointId: target, type, streamName, revision, attempts, reason },
    failedAt: exhaustedAt,
  };
}
