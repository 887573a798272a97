import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { IsLine, IsTimestamp, Omittable } from '#nest/dto';
import { OneOf, Timestamp } from '#openapi';
import { WEBHOOK_TYPES } from '#webhooks';
import { DELIVERY_STATES, type DeliveryState } from '#worker-state';
import { PageQuery } from '../../http/page.dto.js';

export class DeliveryListQuery extends PageQuery {
  /** Only this message, by its `webhook-id`: its body is shown, too. */
  @Omittable()
  @IsLine(1, 255)
  webhookId?: string;

  /** Only messages of this type. */
  @Omittable()
  @IsLine(1, 100)
  @IsIn(WEBHOOK_TYPES, {
    message: 'must be one event type that there is, such as payment.succeeded',
  })
  type?: string;

  /** Only deliveries that have come to this, by their newest attempts. */
  @Omittable()
  @IsIn(DELIVERY_STATES, { message: `must be one of ${DELIVERY_STATES.join(', ')}` })
  state?: DeliveryState;

  /** Only deliveries whose newest attempt was recorded at this moment or later. */
  @Omittable()
  @IsTimestamp()
  since?: string;

  /** Only deliveries whose newest attempt was recorded at this moment or earlier. */
  @Omittable()
  @IsTimestamp()
  until?: string;
}

/** The sent headers; the body is the same at every attempt. Signatures are not shown. */
export class DeliveryRequestDto {
  /**
   * Where the endpoint was then: the first 500 characters.
   * @example "https://studio.example/webhooks"
   */
  url!: string;
  /** By their names. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  headers!: Record<string, string>;
}

/** The endpoint's answer. */
export class DeliveryAnswerDto {
  /** The HTTP status. */
  status!: number;
  /** The first 1,024 bytes; null where there are none, or the player was erased since. */
  @ApiProperty({ type: String, nullable: true })
  body!: string | null;
}

/** Why an attempt failed. */
export class DeliveryErrorDto {
  code!: string;
  text!: string;
}

/** One attempt at a delivery (rules/webhooks 10). */
export class DeliveryAttemptDto {
  /** 1 for the first one; a message that is sent again begins with 1 anew. */
  attempt!: number;
  @Timestamp()
  startedAt!: string;
  durationMs!: number;
  /** Null where nothing was sent. */
  @ApiProperty({ type: DeliveryRequestDto, nullable: true })
  request!: DeliveryRequestDto | null;
  /** Null where there was none. */
  @ApiProperty({ type: DeliveryAnswerDto, nullable: true })
  answer!: DeliveryAnswerDto | null;
  /** Null where it succeeded. */
  @ApiProperty({ type: DeliveryErrorDto, nullable: true })
  error!: DeliveryErrorDto | null;
}

/** A message at an endpoint, with its attempts of the last seven days, resends included. */
export class DeliveryDto {
  /** The `webhook-id`. */
  webhookId!: string;
  type!: string;
  /** The outcome of its newest attempt; `erased`: it ended unsent, since its player was erased. */
  @OneOf(DELIVERY_STATES)
  state!: string;
  /** The `service-event-sequence`. */
  sequence!: number;
  /** The stream of the event that the message follows from. */
  streamName!: string;
  revision!: number;
  /** When its newest attempt was recorded. */
  @Timestamp()
  recordedAt!: string;
  /**
   * The body, for a single message that is asked for by its `webhookId`; null in lists, and where its player was erased
   * since.
   */
  @ApiProperty({ type: String, nullable: true })
  body!: string | null;
  /** Oldest first. */
  attempts!: DeliveryAttemptDto[];
}

export class DeliveryListDto {
  /** Those with the newest attempts first. */
  deliveries!: DeliveryDto[];
  /** For the next page; "" on the last one. */
  nextPageToken!: string;
}
