import { createHash } from 'node:crypto';
import { releaseVersion } from '#platform';
import { KNOWN_EVENT_TYPES } from '../known-event-types.js';

/**
 * Names what this release can work on: the events that it knows, and its build. What one release parked is
 * no verdict for another: that one tries at once (rules/events 5).
 */
export function readRelease(): string {
  const known = [releaseVersion(), ...[...KNOWN_EVENT_TYPES].sort()];
  return createHash('sha256').update(known.join(' ')).digest('hex').slice(0, 10);
}
