import {
  ArrayMaxSize,
  Equals,
  IsArray,
  IsIn,
  IsInt,
  IsString,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { IsLine, IsTimestamp, Omittable } from '#nest/dto';
import { Default, OneOf, Timestamp } from '#openapi';
import { WEBHOOK_TYPES, type WebhookType } from '#webhooks';

/** The message that most receivers act on. */
const DEFAULT_TEST_TYPE: WebhookType = 'payment.succeeded';

const REVISION_MESSAGE = 'must be the revision of an event: 0, 1, 2 ...';

export class TestWebhookBody {
  /** The test has the shape of a real message of this type. */
  @Default(DEFAULT_TEST_TYPE)
  @OneOf(WEBHOOK_TYPES)
  @Omittable()
  @IsIn(WEBHOOK_TYPES, { message: `must be one of ${WEBHOOK_TYPES.join(', ')}` })
  eventType: WebhookType = DEFAULT_TEST_TYPE;
}

/** One message, all of a time, or all that failed: exactly one of these. */
export class ResendWebhooksBody {
  /** The `webhook-id` of a message that was sent to this endpoint within seven days, or was given up there. */
  @Omittable()
  @IsLine(1, 100)
  webhookId?: string;

  /** With `webhookId` and `revision`, the stream of its event: for one that the log has lost. */
  @Omittable()
  @IsLine(1, 300)
  streamName?: string;

  /** With `webhookId` and `streamName`, the event's place in its stream, as the log had it. */
  @Omittable()
  @IsInt({ message: REVISION_MESSAGE })
  @Min(0, { message: REVISION_MESSAGE })
  @Max(Number.MAX_SAFE_INTEGER, { message: REVISION_MESSAGE })
  revision?: number;

  /** The messages of the endpoint for events from then on ... */
  @Timestamp()
  @Omittable()
  @IsTimestamp()
  since?: string;

  /** ... until before then; now, where it is left out or lies ahead. */
  @Timestamp()
  @Omittable()
  @IsTimestamp()
  until?: string;

  /**
   * Of these types and wildcards alone; left out: of all that the endpoint takes.
   * @example ["payment.*"]
   */
  @Omittable()
  @ArrayMaxSize(50, { message: 'must hold at most 50 event types' })
  @IsString({ each: true, message: 'must hold strings' })
  @IsArray({ message: 'must be a list of event types' })
  types?: string[];

  /** All messages that were given up at this endpoint and are still listed as such. */
  @Omittable()
  @Equals(true, { message: 'must be true' })
  failed?: boolean;

  /** The `nextPageToken` of the same call for a time. */
  @Omittable()
  @IsString({ message: 'must be a string' })
  @MaxLength(1024, { message: 'must be the nextPageToken of the same call' })
  pageToken?: string;
}

export class RequestedResendDto {
  /** How many messages will be sent again. */
  queued!: number;
  /** Of a time with more messages than one call takes: for the same call once more, with this as `pageToken`. */
  nextPageToken?: string;
  /** With it, how much of the time was looked through. */
  progressPercent?: number;
}
