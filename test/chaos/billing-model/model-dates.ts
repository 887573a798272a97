/**
 * Dates of the model, computed apart from the product's calendar: both must come to the same. Instants are
 * milliseconds since 1970.
 */
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** So many months after an anchor, on its day of the month or the last one before (rules/lifecycle 2). */
export function addMonths(anchor: number, months: number): number {
  const from = new Date(anchor);
  const month = from.getUTCMonth() + months;
  const daysInMonth = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const day = Math.min(from.getUTCDate(), daysInMonth);
  return Date.UTC(from.getUTCFullYear(), month, day) + (anchor % DAY_MS);
}

export const toInstant = (at: number): string => new Date(at).toISOString();
