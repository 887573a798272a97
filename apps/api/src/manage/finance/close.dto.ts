/** A month behind an act on its close. */
export class CloseDto {
  /** @example "2026-01" */
  period!: string;
  /** Whether it is closed; else the close waits for a second person. */
  isClosed!: boolean;
  /** The size of the checkpoint that the close counts to. */
  size!: number;
}

/** A part of a close that its events do not give. */
export class CloseDifferenceDto {
  /** A report, or the sum of an account. */
  part!: string;
  /** A hash, or debits and credits in minor units; empty where the close has none. */
  closed!: string;
  computed!: string;
}

export class VerifiedCloseDto {
  /** @example "2026-01" */
  period!: string;
  size!: number;
  /** None where it is as it was closed. */
  differences!: CloseDifferenceDto[];
}

export class VerifiedClosesDto {
  closes!: VerifiedCloseDto[];
}

/** A sum in minor units; debits are above zero. */
export class RestatedTotalDto {
  account!: string;
  /** @example "EUR" */
  currency!: string;
  closedMinor!: string;
  knownMinor!: string;
}

export class RestatedRowDto {
  account!: string;
  /** debit or credit */
  side!: string;
  amountMinor!: string;
  /** @example "EUR" */
  currency!: string;
  effectiveOn!: string;
  eventType!: string;
  payment!: string;
}

export class RestatedEntryDto {
  entry!: string;
  /** Null where the close does not have it. */
  closed!: RestatedRowDto | null;
  /** Null where it is not known any more. */
  known!: RestatedRowDto | null;
}

/** A closed month beside the figures that it would have if it were closed at the last checkpoint. */
export class RestatedCloseDto {
  /** @example "2026-01" */
  period!: string;
  /** The size of the close's checkpoint. */
  closedAt!: number;
  /** The size of the last checkpoint. */
  knownAt!: number;
  totals!: RestatedTotalDto[];
  /** Every entry of the difference. */
  entries!: RestatedEntryDto[];
}
