import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsBoolean, IsIn, IsInt, Matches, Max, Min } from 'class-validator';
import { GATEWAY_KINDS, LOST_DISPUTE_POLICIES, type LostDisputePolicy } from '#domain/app';
import { RETRIED_DECLINE_CLASSES, type RetriedDeclineClass } from '#domain/dunning';
import {
  IsCode,
  IsLine,
  IsOrigin,
  IsRegionCodeOrEmpty,
  NestedObject,
  Omittable,
  OmittableOrNull,
} from '#nest/dto';
import { Default, OneOf, Timestamp } from '#openapi';
import { CatalogSettingsBody, CatalogSettingsDto } from './catalog-settings.dto.js';
import { TokenIssuerBody, TokenIssuerDto } from './token-issuer.dto.js';

const ENVIRONMENTS = ['test', 'production'] as const;
/** Dunning is counted in days, not in months: the next period would be due before the last is given up. */
const MAX_GRACE_HOURS = 24 * 28;

const NAMES_CLASSES = `must hold names out of ${RETRIED_DECLINE_CLASSES.join(', ')}`;

/** A game has a handful of pages: its own, a test one, a developer's. */
const MAX_ORIGINS = 50;

export class CreateAppBody {
  @IsLine(1, 200)
  name!: string;

  @IsIn(ENVIRONMENTS, { message: 'must be test or production' })
  environment!: (typeof ENVIRONMENTS)[number];
}

/** Describes errors of a present value; an absent one is reported as missing alone. */
function orMissing(description: string) {
  return ({ value }: { readonly value: unknown }): string =>
    value === undefined ? 'is required' : description;
}

export class DunningDto {
  /**
   * How long access lasts from the first failed attempt.
   * @example 48
   */
  @IsInt({ message: `must be an integer from 0 to ${MAX_GRACE_HOURS}` })
  @Min(0, { message: `must be an integer from 0 to ${MAX_GRACE_HOURS}` })
  @Max(MAX_GRACE_HOURS, { message: `must be an integer from 0 to ${MAX_GRACE_HOURS}` })
  graceHours!: number;

  /**
   * When retries are made, in hours from the first failed attempt.
   * @example [24, 48]
   */
  @ArrayMaxSize(10, { message: orMissing('must hold at most 10 retries') })
  @IsInt({ each: true, message: orMissing('must hold whole hours') })
  @Min(1, { each: true, message: orMissing('must hold hours from 1 on') })
  @Max(MAX_GRACE_HOURS, {
    each: true,
    message: orMissing(`must hold hours up to ${MAX_GRACE_HOURS}`),
  })
  @IsArray({ message: orMissing('must be a list of hours') })
  retryAfterHours!: number[];

  /** After which declines a retry is made; hard ones and suspected fraud are never tried again. */
  @Default(RETRIED_DECLINE_CLASSES)
  @Omittable()
  @ArrayMaxSize(RETRIED_DECLINE_CLASSES.length, {
    message: `must hold at most ${RETRIED_DECLINE_CLASSES.length} decline classes`,
  })
  @IsIn(RETRIED_DECLINE_CLASSES, { each: true, message: NAMES_CLASSES })
  @IsArray({ message: 'must be a list of decline classes' })
  retriedDeclineClasses: RetriedDeclineClass[] = [...RETRIED_DECLINE_CLASSES];
}

/** Secret keys and restricted ones; a publishable key (`pk_`) charges nothing. */
const STRIPE_KEY = /^(sk|rk)_(test|live)_[A-Za-z0-9]{16,240}$/;
const STRIPE_KEY_RULE =
  'must be a secret or restricted key of Stripe, such as sk_test_...; pk_... is a publishable one';
const WEBHOOK_SECRET = /^whsec_[\w+/=-]{16,240}$/;

export class GatewayBody {
  @OneOf(GATEWAY_KINDS)
  @IsIn(GATEWAY_KINDS, { message: `must be ${GATEWAY_KINDS.join(' or ')}` })
  kind!: (typeof GATEWAY_KINDS)[number];

  /** Stripe's secret or restricted key: of test mode for a test app, of live mode for a production app. */
  @Omittable()
  @Matches(STRIPE_KEY, { message: STRIPE_KEY_RULE })
  secretKey?: string;

  /** The signing secret of the endpoint that Stripe sends its notices to. */
  @Omittable()
  @Matches(WEBHOOK_SECRET, { message: 'must be the signing secret of an endpoint, whsec_...' })
  webhookSecret?: string;
}

export class UpdateAppBody {
  @Omittable()
  @IsLine(1, 200)
  name?: string;

  @Omittable()
  @NestedObject(() => DunningDto)
  dunning?: DunningDto;

  /** Whether a subscription goes on, or ends at once, when a dispute of one of its payments is lost. */
  @Omittable()
  @OneOf(LOST_DISPUTE_POLICIES)
  @IsIn(LOST_DISPUTE_POLICIES, { message: 'must be keep or end' })
  onLostDispute?: LostDisputePolicy;

  /**
   * The origins whose pages may call in the name of their player; `*` is any, and none is no page at all.
   * @example ["https://game.example"]
   */
  @Omittable()
  @ArrayMaxSize(MAX_ORIGINS, { message: `must hold at most ${MAX_ORIGINS} origins` })
  @IsOrigin({ each: true })
  @IsArray({ message: 'must be a list of origins' })
  allowedOrigins?: string[];

  /**
   * Where players are taken to be of whom nothing else is known, for tax and prices; `""` for nowhere.
   * @example "US-CA"
   */
  @Omittable()
  @IsRegionCodeOrEmpty()
  defaultRegionCode?: string;

  /**
   * Whether the app's endpoints may ask for `ledger.sealed`, whose sizes tell how busy all apps are: only an operator for
   * all apps may set it.
   */
  @Omittable()
  @IsBoolean({ message: 'must be true or false' })
  sealWitness?: boolean;

  /** The gateway that takes payment methods from now on; its secrets are never shown. */
  @Omittable()
  @NestedObject(() => GatewayBody)
  gateway?: GatewayBody;

  /** The catalog that the shop asks for a player's items; its key is never shown. */
  @Omittable()
  @NestedObject(() => CatalogSettingsBody)
  catalog?: CatalogSettingsBody;

  /** Whose tokens of players are good from now on beside the app's own; null for none. */
  @OmittableOrNull()
  @NestedObject(() => TokenIssuerBody)
  @ApiProperty({ type: () => TokenIssuerBody, nullable: true })
  tokenIssuer?: TokenIssuerBody | null;
}

/** The gateway of an app, without its secrets. */
export class GatewayDto {
  @OneOf(GATEWAY_KINDS)
  kind!: string;
  /** The last four characters of the secret key; absent for the sandbox. */
  secretKeyEnding?: string;
}

export class SegmentDto {
  @IsCode()
  segmentId!: string;

  @IsLine(1, 200)
  name!: string;
}

export class SegmentListDto {
  segments!: SegmentDto[];
  /** Empty on the last page. */
  nextPageToken!: string;
}

/** An app, without its secrets. */
export class AppDto {
  appId!: string;
  name!: string;
  @OneOf(ENVIRONMENTS)
  environment!: string;
  segments!: SegmentDto[];
  dunning!: DunningDto;
  /** Whether a subscription goes on, or ends at once, when a dispute of one of its payments is lost. */
  @OneOf(LOST_DISPUTE_POLICIES)
  onLostDispute!: string;
  /** The origins whose pages may call in the name of their player; `*` is any. */
  allowedOrigins!: string[];
  /** The region of players of whom nothing else is known; empty for none. */
  defaultRegionCode!: string;
  /** Whether its endpoints may ask for `ledger.sealed`. */
  sealWitness!: boolean;
  gateway!: GatewayDto;
  /** Absent until it is set. */
  catalog?: CatalogSettingsDto;
  /** Whose tokens of players are good beside the app's own; null for none. */
  @ApiProperty({ type: () => TokenIssuerDto, nullable: true })
  tokenIssuer!: TokenIssuerDto | null;
  @Timestamp()
  createdAt!: string;
}

export class AppListDto {
  apps!: AppDto[];
  /** Empty on the last page. */
  nextPageToken!: string;
}

/** A new app; its secrets are shown this once, in base64. */
export class CreatedAppDto {
  appId!: string;
  name!: string;
  @OneOf(ENVIRONMENTS)
  environment!: string;
  /** The key of signatures, in base64. */
  ingressSecret!: string;
  /** For the deprecated `X-Service-Api-Key`. */
  apiKey!: string;
}

export class RotateIngressSecretBody {
  /** How long the old secret stays valid beside the new one. */
  @Default(86_400)
  @Omittable()
  @IsInt({ message: 'must be an integer from 0 to 2592000' })
  @Min(0, { message: 'must be an integer from 0 to 2592000' })
  @Max(2_592_000, { message: 'must be an integer from 0 to 2592000' })
  expireOldAfterSeconds: number = 86_400;
}

export class IngressSecretDto {
  /** The key of signatures, in base64; shown this once. */
  ingressSecret!: string;
}
