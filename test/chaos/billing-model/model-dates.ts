/**
 * Dates of the model, computed apart from the product's calendar: both must come to the same. Instants are
 * milliseconds since 1970.
 */
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** So many months after an anchor, on its day of the month or the last one before (rules/lifecycle 2). */
function addMonths(anchor: number, months: number, billingDay: number): number {
  const from = new Date(anchor);
  const month = from.getUTCMonth() + months;
  const daysInMonth = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const isLastDay = new Date(anchor + DAY_MS).getUTCDate() === 1;
  const day = Math.min(isLastDay ? billingDay : from.getUTCDate(), daysInMonth);
  return Date.UTC(from.getUTCFullYear(), month, day) + (anchor % DAY_MS);
}

/** How long something runs, as the calendar counts it. */
export interface Period {
  readonly value: number;
  readonly unit: 'day' | 'week' | 'month' | 'year';
}

export const dayOfMonth = (at: number): number => new Date(at).getUTCDate();

export const isOfDays = ({ unit }: Period): boolean => unit === 'day' || unit === 'week';

/** So many periods after an anchor. @param billingDay the day of month that the anchor stands for. */
export function addPeriods(
  anchor: number,
  { value, unit }: Period,
  count: number,
  billingDay = dayOfMonth(anchor),
): number {
  switch (unit) {
    case 'day':
      return anchor + value * count * DAY_MS;
    case 'week':
      return anchor + value * count * 7 * DAY_MS;
    case 'month':
      return addMonths(anchor, value * count, billingDay);
    case 'year':
      return addMonths(anchor, value * count * 12, billingDay);
  }
}

export const isSamePeriod = (left: Period, right: Period) =>
  left.value === right.value && left.unit === right.unit;

/** How many of each are in the calendar's cycle of 400 years, after which it begins anew. */
export const IN_CYCLE = { day: 146_097, week: 20_871, month: 4_800, year: 400 } as const;

export const toInstant = (at: number): string => new Date(at).toISOString();
