import { IANAZone } from 'luxon';

export const A_ZONE = 'the name of a time zone, such as Europe/Berlin or UTC';

/** Whether it is the name of a time zone of IANA's. */
export function isZone(zone: string): boolean {
  // Offsets such as +02:00 are taken by some engines, and have no summer.
  return /^[A-Za-z]/.test(zone) && IANAZone.isValidZone(zone);
}
