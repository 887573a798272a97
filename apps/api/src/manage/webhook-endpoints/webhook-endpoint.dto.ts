import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsString } from 'class-validator';
import { ACCEPTED_ANSWERS, type AcceptedAnswers } from '#domain/webhook-endpoint';
import { IsLine, Omittable } from '#nest/dto';
import { Default, OneOf, Timestamp } from '../../openapi/fields.js';

export class CreateWebhookEndpointBody {
  /** https; in a test app of the standalone also http and loopback addresses. */
  @IsLine(1, 2000)
  url!: string;

  /**
   * Event types, families and wildcards.
   * @example ["*"]
   */
  @Default(['*'])
  @Omittable()
  @IsArray({ message: 'must be a list of event types' })
  @ArrayMinSize(1, { message: 'must hold at least one event type' })
  @ArrayMaxSize(50, { message: 'must hold at most 50 event types' })
  @IsString({ each: true, message: 'must hold strings' })
  eventTypes: string[] = ['*'];

  /** Which answers count as success: any 2xx, or only 200. */
  @Default('2xx')
  @Omittable()
  @IsIn(ACCEPTED_ANSWERS, { message: 'must be "2xx" or "200"' })
  accept: AcceptedAnswers = '2xx';
}

/** Where an app's webhooks are sent, without the secret. */
export class WebhookEndpointDto {
  id!: string;
  url!: string;
  eventTypes!: string[];
  @OneOf(ACCEPTED_ANSWERS)
  accept!: string;
  @OneOf(['enabled'])
  state!: string;
  @Timestamp()
  createdAt!: string;
}

/** A new endpoint; its secret is shown this once. */
export class CreatedWebhookEndpointDto extends WebhookEndpointDto {
  /** The key of both signatures of its webhooks. */
  secret!: string;
}

export class WebhookEndpointListDto {
  webhookEndpoints!: WebhookEndpointDto[];
  /** Empty on the last page. */
  nextPageToken!: string;
}
