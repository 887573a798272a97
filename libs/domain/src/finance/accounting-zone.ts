import { DateTime, IANAZone } from 'luxon';
import type { AccountingPeriod, Day } from '../bookkeeping/index.js';
import type { Instant } from '../event/index.js';

/** Whether it is the name of a time zone of IANA's. */
export function isZone(zone: string): boolean {
  // Offsets such as +02:00 are taken by some engines, and have no summer.
  return /^[A-Za-z]/.test(zone) && IANAZone.isValidZone(zone);
}

/** The day that it is in a zone. */
export function dayIn(zone: string, instant: Instant): Day {
  return DateTime.fromISO(instant, { zone }).toFormat('yyyy-MM-dd');
}

export function followingPeriod(period: AccountingPeriod): AccountingPeriod {
  const [year = 0, month = 0] = period.split('-').map(Number);
  const next = month === 12 ? [year + 1, 1] : [year, month + 1];
  return next.map((part, index) => String(part).padStart(index === 0 ? 4 : 2, '0')).join('-');
}
