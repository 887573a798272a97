import { ArrayMaxSize, Equals, IsArray, IsIn, IsString } from 'class-validator';
import { IsLine, IsTimestamp, Omittable } from '#nest/dto';
import { WEBHOOK_TYPES, type WebhookType } from '#webhooks';
import { OneOf, Timestamp, TimestampOrEmpty } from '../../openapi/fields.js';

export class TestWebhookBody {
  /** The test has the shape of a real message of this type. */
  @OneOf(WEBHOOK_TYPES)
  @IsIn(WEBHOOK_TYPES, { message: `must be one of ${WEBHOOK_TYPES.join(', ')}` })
  eventType!: WebhookType;
}

export class RequestedTestDto {
  testId!: string;
  eventType!: string;
}

/** One message, all of a time, or all that failed: exactly one of these. */
export class ResendWebhooksBody {
  /** The `webhook-id` of a message that was sent to this endpoint within seven days, or was given up there. */
  @Omittable()
  @IsLine(1, 100)
  messageId?: string;

  /** What the endpoint takes of the events from then on ... */
  @Timestamp()
  @Omittable()
  @IsTimestamp()
  from?: string;

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
  @IsArray({ message: 'must be a list of event types' })
  @ArrayMaxSize(50, { message: 'must hold at most 50 event types' })
  @IsString({ each: true, message: 'must hold strings' })
  types?: string[];

  /** All messages that were given up at this endpoint and are still listed as such. */
  @Omittable()
  @Equals(true, { message: 'must be true' })
  failed?: boolean;
}

export class RequestedResendDto {
  /** How many messages were named; 0 for a time, whose messages the worker finds. */
  messages!: number;
  @TimestampOrEmpty()
  from!: string;
  @TimestampOrEmpty()
  until!: string;
}
