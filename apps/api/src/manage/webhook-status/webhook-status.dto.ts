import type { BreakerState } from '#platform';
import { IsLine, Omittable } from '#nest/dto';
import { OneOf, Timestamp, TimestampOrEmpty } from '#openapi';
import { PageQuery } from '../../http/page.dto.js';

const CLASSES = ['healthy', 'failing', 'held'] as const;

const BREAKER_STATES: readonly BreakerState[] = ['closed', 'open', 'half_open'];

/** How an endpoint is (rules/webhooks 12). */
export class EndpointStatusDto {
  id!: string;
  url!: string;
  @OneOf(['enabled', 'disabled'])
  state!: string;
  /** Why it is disabled; "" while it is not. */
  disabledReason!: string;
  @TimestampOrEmpty()
  disabledAt!: string;
  /** The remedy: none, the merchant looks, or the endpoint is enabled. */
  @OneOf(CLASSES)
  class!: string;
  @OneOf(BREAKER_STATES)
  breaker!: string;
  /** While its breaker is open: no attempt is made before. */
  @TimestampOrEmpty()
  openUntil!: string;
  /** Attempts that failed since the last success. */
  failures!: number;
  /** The first of them. */
  @TimestampOrEmpty()
  failingSince!: string;
  /** Deliveries that have begun and not ended. */
  inFlight!: number;
  /** When the event was written that the oldest of them is of. */
  @TimestampOrEmpty()
  oldestInFlightAt!: string;
  /** Whether more waits in the event store than may be in flight. */
  behind!: boolean;
  /** All that was written before has begun. */
  @TimestampOrEmpty()
  behindSince!: string;
  /** Deliveries that were given up and are listed. */
  failed!: number;
}

export class AppWebhookStatusDto {
  appId!: string;
  /** In the order of their ids. */
  endpoints!: EndpointStatusDto[];
}

export class WebhookStatusListDto {
  /** Oldest app first. A page can be short, or empty, though more follow: apps without endpoints are left out. */
  apps!: AppWebhookStatusDto[];
  /** For the next page; "" on the last one. */
  nextPageToken!: string;
}

export class WebhookFailureListQuery extends PageQuery {
  /** Only deliveries that were given up at this endpoint. */
  @Omittable()
  @IsLine(1, 255)
  endpointId?: string;
}

/** A delivery that was given up (rules/webhooks 12). */
export class WebhookFailureDto {
  /** The `webhook-id`. */
  webhookId!: string;
  endpointId!: string;
  type!: string;
  /** The stream of the event that the message follows from. */
  streamName!: string;
  revision!: number;
  attempts!: number;
  /** The error of the last attempt, or why none is made any more. */
  reason!: string;
  @Timestamp()
  failedAt!: string;
}

export class WebhookFailureListDto {
  /** The delivery that was given up last comes first. */
  failures!: WebhookFailureDto[];
  /** For the next page; "" on the last one. */
  nextPageToken!: string;
}
