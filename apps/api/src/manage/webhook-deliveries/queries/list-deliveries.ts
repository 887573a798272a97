import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { APP_DIRECTORY, notFound, queryWith } from '#nest';
import { Fault, wallClock } from '#platform';
import type { AppDirectory, PersonalData } from '#tenancy';
import { DeliveryLog, type LoggedAttempt, type LoggedDelivery } from '#worker-state';
import type { PageTokens } from '../../../http/page-token.js';
import { PAGE_TOKENS, PERSONAL_DATA } from '../../../tokens.js';
import type {
  DeliveryAttemptDto,
  DeliveryDto,
  DeliveryListDto,
  DeliveryListQuery,
  DeliveryRequestDto,
} from '../delivery.dto.js';
import { MessageBodies } from '../message-bodies.js';

/** Codes of attempts at which nothing was sent (rules/webhooks 6). */
const UNSENT = ['not_made', 'erased'];

/**
 * A delivery as operators see it.
 *
 * @param body shown for a single message. @throws Fault `unavailable`.
 */
async function renderDelivery(
  appId: string,
  delivery: LoggedDelivery,
  body: string | null,
  personalData: Pick<PersonalData, 'openAnswer'>,
): Promise<DeliveryDto> {
  const { messageId, type, state, sequence, streamName, revision, newest, attempts } = delivery;
  const { recordedAt } = newest;
  const rendering = attempts.map((each) => renderAttempt(appId, each, personalData));
  return {
    ...{ webhookId: messageId, type, state, sequence, streamName, revision, recordedAt, body },
    attempts: await Promise.all(rendering),
  };
}

async function renderAttempt(
  appId: string,
  logged: LoggedAttempt,
  personalData: Pick<PersonalData, 'openAnswer'>,
): Promise<DeliveryAttemptDto> {
  const { attempt, startedAt, durationMs, status, error } = logged;
  const isSent = error === null || !UNSENT.includes(error.code);
  const body = status === null ? null : await openAnswer(appId, logged, personalData);
  return {
    ...{ attempt: attempt + 1, startedAt, durationMs },
    request: isSent ? renderRequest(logged) : null,
    answer: status === null ? null : { status, body },
    error,
  };
}

/** The headers follow from the message and the time; those that prove that we sent it are for the receiver alone. */
function renderRequest(logged: LoggedAttempt): DeliveryRequestDto {
  const { messageId, startedAt, attempt, sequence, url } = logged;
  return {
    url,
    headers: {
      'content-type': 'application/json',
      'webhook-id': messageId,
      'webhook-timestamp': String(Math.floor(Date.parse(startedAt) / 1000)),
      'service-retry-count': String(attempt),
      'service-event-sequence': String(sequence),
    },
  };
}

/** An answer that does not open, as without its master key, takes no other attempt out of the page. */
async function openAnswer(
  appId: string,
  { messageId, player, answer: kept }: LoggedAttempt,
  personalData: Pick<PersonalData, 'openAnswer'>,
): Promise<string | null> {
  if (kept === null || player === null) return kept;
  try {
    return (await personalData.openAnswer({ appId, player }, messageId, kept)) ?? null;
  } catch (error) {
    if (error instanceof Fault && error.code === 'undecodable') return null;
    throw error;
  }
}

/** A page of the deliveries to an endpoint, the newest attempts first (rules/webhooks 10). */
export class ListDeliveries extends queryWith<
  { appId: string; endpointId: string; query: DeliveryListQuery },
  DeliveryListDto
>() {}

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
