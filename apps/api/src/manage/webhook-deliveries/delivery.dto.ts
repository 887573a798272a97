import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { type Outcome, OUTCOMES } from '#delivery-log';
import { IsLine, IsTimestamp, Omittable } from '#nest/dto';
import { PageQuery } from '../../http/page.dto.js';
import { OneOf, Timestamp } from '../../openapi/fields.js';

export class DeliveryListQuery extends PageQuery {
  /** Only attempts at this message: the `webhook-id`. */
  @Omittable()
  @IsLine(1, 255)
  messageId?: string;

  /** Only attempts at messages of this type. */
  @Omittable()
  @IsLine(1, 100)
  type?: string;

  /** Only attempts that ended so. */
  @Omittable()
  @IsIn(OUTCOMES, { message: `must be one of ${OUTCOMES.join(', ')}` })
  outcome?: Outcome;

  /** Only attempts that were recorded at this moment or later. */
  @Omittable()
  @IsTimestamp()
  from?: string;

  /** Only attempts that were recorded at this moment or earlier. */
  @Omittable()
  @IsTimestamp()
  until?: string;
}

/** Why an attempt failed. */
export class DeliveryErrorDto {
  code!: string;
  text!: string;
}

/** One attempt at a delivery (rules/webhooks 10). */
export class DeliveryAttemptDto {
  /** The `webhook-id`. */
  messageId!: string;
  type!: string;
  /** The stream of the event that the message follows from. */
  streamName!: string;
  revision!: number;
  /** The `service-event-sequence`. */
  sequence!: number;
  /** The `service-retry-count`: 0 on the first attempt. */
  retryCount!: number;
  @Timestamp()
  startedAt!: string;
  @Timestamp()
  recordedAt!: string;
  durationMs!: number;
  @OneOf(OUTCOMES)
  outcome!: string;
  /** The HTTP status of the answer; null where there was none. */
  @ApiProperty({ type: Number, nullable: true })
  status!: number | null;
  @ApiProperty({ type: DeliveryErrorDto, nullable: true })
  error!: DeliveryErrorDto | null;
  /** The first 1,024 bytes of the answer; null where none are kept, or the player was erased since. */
  @ApiProperty({ type: String, nullable: true })
  answer!: string | null;
}

export class DeliveryListDto {
  /** Newest first. A page can be short, or empty, though more follow. */
  deliveries!: DeliveryAttemptDto[];
  /** For the next page; "" on the last one. */
  nextPageToken!: string;
}
