import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsInt,
  IsString,
  Max,
  Min,
} from 'class-validator';
import { ACCEPTED_ANSWERS, type AcceptedAnswers } from '#domain/webhook-endpoint';
import { IsLine, IsPlainText, Omittable, OmittableOrNull, IsTimestamp } from '#nest/dto';
import { Default, OneOf, Timestamp, TimestampOrEmpty } from '#openapi';

/** More than this is no bound: an endpoint has no more attempts in flight than it answers in time. */
const MAX_PER_SECOND = 1000;

function IsEventTypes(): PropertyDecorator {
  return applyDecorators(
    IsArray({ message: 'must be a list of event types' }),
    ArrayMinSize(1, { message: 'must hold at least one event type' }),
    ArrayMaxSize(50, { message: 'must hold at most 50 event types' }),
    IsString({ each: true, message: 'must hold strings' }),
  );
}

const IsAccept = () => IsIn(ACCEPTED_ANSWERS, { message: 'must be "2xx" or "200"' });

function IsPerSecond(): PropertyDecorator {
  const message = `must be an integer from 1 to ${MAX_PER_SECOND}, or null`;
  return applyDecorators(
    ApiProperty({ type: 'integer', nullable: true, minimum: 1, maximum: MAX_PER_SECOND }),
    IsInt({ message }),
    Min(1, { message }),
    Max(MAX_PER_SECOND, { message }),
  );
}

export class CreateWebhookEndpointBody {
  /** https; in a test app of the standalone also http and loopback addresses. */
  @IsLine(1, 2000)
  url!: string;

  /**
   * Event types, families (`v1`, `v2`) and wildcards (`payment.*`).
   * @example ["*"]
   */
  @Default(['*'])
  @Omittable()
  @IsEventTypes()
  eventTypes: string[] = ['*'];

  /** Which answers count as success: any 2xx, or only 200. */
  @Default('2xx')
  @Omittable()
  @IsAccept()
  accept: AcceptedAnswers = '2xx';

  /** For people: the purpose of the endpoint. */
  @Default('')
  @Omittable()
  @IsPlainText(500)
  description: string = '';

  /** How many attempts begin in a second at most; null: as many as there are. */
  @Default(null)
  @OmittableOrNull()
  @IsPerSecond()
  maxPerSecond: number | null = null;
}

/** Omitted settings stay as they are. */
export class ChangeWebhookEndpointBody {
  @Omittable()
  @IsLine(1, 2000)
  url?: string;

  @Omittable()
  @IsEventTypes()
  eventTypes?: string[];

  @OneOf(ACCEPTED_ANSWERS)
  @Omittable()
  @IsAccept()
  accept?: AcceptedAnswers;

  @Omittable()
  @IsPlainText(500)
  description?: string;

  @OmittableOrNull()
  @IsPerSecond()
  maxPerSecond?: number | null;
}

const EXPIRY_MESSAGE = { message: 'must be an integer from 0 to 604800' };

export class RotateWebhookSecretBody {
  /** How long the former secrets stay valid beside the new one; 0 ends them at once. */
  @Default(86_400, { maximum: 604_800 })
  @Omittable()
  @IsInt(EXPIRY_MESSAGE)
  @Min(0, EXPIRY_MESSAGE)
  @Max(604_800, EXPIRY_MESSAGE)
  expireOldAfterSeconds: number = 86_400;

  /** From when on the new secret signs first; at once where it is omitted, and not after the former ones end. */
  @Omittable()
  @IsTimestamp()
  useFrom?: string;
}

/** Where an app's webhooks are sent, without the secrets. */
export class WebhookEndpointDto {
  id!: string;
  url!: string;
  eventTypes!: string[];
  @OneOf(ACCEPTED_ANSWERS)
  accept!: string;
  description!: string;
  @ApiProperty({ type: 'integer', nullable: true })
  maxPerSecond!: number | null;
  /** A disabled one is sent nothing; missed messages are sent when it is enabled. */
  @OneOf(['enabled', 'disabled'])
  state!: string;
  /** By an operator, by an answer 410, or by days of nothing but failures. */
  @OneOf(['', 'operator', 'gone', 'failing'])
  disabledReason!: string;
  @TimestampOrEmpty()
  disabledAt!: string;
  @Timestamp()
  createdAt!: string;
}

/** A new endpoint; its secret is shown this once. */
export class CreatedWebhookEndpointDto extends WebhookEndpointDto {
  /** The key of both signatures of its webhooks. */
  secret!: string;
}

export class WebhookSecretDto {
  /** The newest key of the signatures; shown this once. */
  secret!: string;
}

export class WebhookEndpointListDto {
  webhookEndpoints!: WebhookEndpointDto[];
  /** Empty on the last page. */
  nextPageToken!: string;
}
