import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsInt, Matches, Max, Min } from 'class-validator';
import {
  IsLine,
  IsPlainText,
  NestedList,
  NestedObject,
  Omittable,
  OmittableOrNull,
} from '#nest/dto';
import { Default, Timestamp } from '#openapi';
import { ReasonBody } from '../projections/projection.dto.js';

const FIRST_DAY = { message: 'must be the first day of a month, such as 2026-01-01' };
const LIFE = { message: 'must be a whole number of days from 1 to 36525' };

/** Which report, of which part of the books (rules/finance 10). */
export class ReportQuery {
  /**
   * The booked period
   * @example "2026-01"
   */
  @Omittable()
  @IsLine(0, 64)
  period?: string;

  /**
   * The size of a checkpoint, an instant (the last checkpoint before it), close:2026-01 (that of a closed month), or now
   * (one is made first); the last checkpoint where it is omitted
   * @example "now"
   */
  @Omittable()
  @IsLine(0, 64)
  asOf?: string;

  /**
   * The last day that counts, of the period
   * @example "2026-01-15"
   */
  @Omittable()
  @IsLine(0, 64)
  effectiveUntil?: string;

  /** json, csv or parquet; of the journal also hledger, ledger or beancount. json where it is omitted. */
  @Omittable()
  @IsLine(0, 64)
  format?: string;

  /** CSV with your own numbers and names of accounts, as accounts.csv has them */
  @Omittable()
  @IsPlainText(8_000)
  accounts?: string;
}

/** The thing that is to be explained (rules/finance 43). */
export class ExplainFinanceQuery {
  /**
   * The id of an entry (EVENT#1, EVENT#1/2026-01), a payment, a subscription, or "ACCOUNT PERIOD"
   * @example "income:subscriptions 2026-01"
   */
  @Omittable()
  @IsLine(0, 255)
  what?: string;

  /** The checkpoint that counts, as of a report */
  @Omittable()
  @IsLine(0, 64)
  asOf?: string;
}

export class ReportCheckpointDto {
  /** Entries of events with smaller leaves count. */
  size!: number;
  /** In base64. */
  root!: string;
  origin!: string;
  /** The moment of the first checkpoint that has its last leaf. */
  @Timestamp()
  at!: string;
}

/** A report as JSON, with both of its clocks. */
export class FinanceReportDto {
  report!: string;
  app!: string;
  environment!: string;
  /** @example "2026-01" */
  period!: string;
  /** @example "2026-01-31" */
  effectiveUntil!: string;
  checkpoint!: ReportCheckpointDto;
  /** The version of the posting rules. */
  rules!: string;
  /** By the names of the report's columns; amounts in minor units are digits, and stand beside as decimals. */
  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } })
  rows!: Readonly<Record<string, unknown>>[];
}

export class ItemMetadataDto {
  @IsLine(1, 255)
  key!: string;

  @IsLine(1, 255)
  value!: string;
}

/** One of id, prefix and metadata. */
export class ItemMatchDto {
  /** Of one item. */
  @Omittable()
  @IsLine(1, 255)
  id?: string;

  /** The beginning of ids. */
  @Omittable()
  @IsLine(1, 255)
  prefix?: string;

  @Omittable()
  @NestedObject(() => ItemMetadataDto)
  metadata?: ItemMetadataDto;
}

/** Items that are earned alike; the first class that matches an item counts. */
export class ItemClassDto {
  @IsLine(1, 255)
  name!: string;

  @NestedObject(() => ItemMatchDto)
  match!: ItemMatchDto;

  /** The days over which they are earned; null, or omitted, where that is at once. */
  @ApiProperty({ type: 'integer', nullable: true, required: false })
  @OmittableOrNull()
  @IsInt(LIFE)
  @Min(1, LIFE)
  @Max(36_525, LIFE)
  lifeDays?: number | null;
}

/** How the app's money is accounted for from a day on (rules/finance 30). */
export class SetFinancePolicyBody extends ReasonBody {
  /**
   * The first day of an open period
   * @example "2026-01-01"
   */
  @Matches(/^\d{4}-(?:0[1-9]|1[0-2])-01$/, FIRST_DAY)
  from!: string;

  /**
   * The zone of days and periods
   * @example "Europe/Berlin"
   */
  @Default('UTC')
  @Omittable()
  @IsLine(1, 64)
  zone: string = 'UTC';

  /** Items of no class are earned at once. */
  @Default([])
  @Omittable()
  @NestedList(() => ItemClassDto, { max: 200 })
  itemClasses: ItemClassDto[] = [];

  /** Whether a second person approves each close. */
  @Default(false)
  @Omittable()
  @IsBoolean({ message: 'must be true or false' })
  approval: boolean = false;
}

export class FinancePolicyDto {
  /** Counts the policies of the app, from 1. */
  number!: number;
  from!: string;
  zone!: string;
  itemClasses!: ItemClassDto[];
  approval!: boolean;
}

export class ClosedPeriodDto {
  period!: string;
  /** The checkpoint that it counts to. */
  size!: number;
}

export class CloseRequestDto {
  period!: string;
  size!: number;
  requestedBy!: string;
  reason!: string;
}

export class AcceptedDifferenceDto {
  row!: string;
  reason!: string;
}

/** The policies of an app, and the acts of finance on it. */
export class FinancePoliciesDto {
  /** By the day that they hold from; none where days are of UTC, items earned at once, and one person closes. */
  policies!: FinancePolicyDto[];
  /** In their order. */
  closed!: ClosedPeriodDto[];
  /** The close that waits for a second person. */
  request!: CloseRequestDto | null;
  accepted!: AcceptedDifferenceDto[];
}

export class AcceptedRowDto {
  row!: string;
  /** False where it was accepted before. */
  isChanged!: boolean;
}

export class ImportQuery {
  /**
   * The zone of times in the report that are not of UTC
   * @example "Europe/Berlin"
   */
  @Default('UTC')
  @Omittable()
  @IsLine(1, 64)
  zone: string = 'UTC';
}

/** The outcome of an import (rules/finance 32). */
export class ImportReportDto {
  rows!: number;
  /** Rows that are new. */
  imported!: number;
  /** Rows whose payout is new. */
  noted!: number;
  /** Rows that were imported before, as they are. */
  known!: number;
  /** Rows that name another app, and were left out. */
  ofOtherApps!: number;
  /** Rows that were imported before with other figures, or in another payout; the first ones stay. */
  differing!: string[];
}

export class RowAmountDto {
  /** Minor units */
  amountMinor!: string;
  /** @example "EUR" */
  currency!: string;
}

/** A row of a payout beside the amounts of ledger and gateway. */
export class ComparedRowDto {
  row!: string;
  category!: string;
  /** Empty where the row names none. */
  paymentId!: string;
  ledger!: RowAmountDto | null;
  gateway!: RowAmountDto | null;
  payout!: RowAmountDto;
  /** agrees, accepted or open */
  state!: string;
  /** Why it is open; empty where it is not. */
  why!: string;
}

export class ReconciledPayoutDto {
  payout!: string;
  /** How many rows are open. */
  open!: number;
  rows!: ComparedRowDto[];
}
