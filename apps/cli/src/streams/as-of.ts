import { parseInstant } from '#domain/calendar';
import type { Instant, RecordedEvent } from '#domain/event';
import { CliError } from '../cli-error.js';

/** The end of a replay: a revision, or an instant of the app's clock; either belongs to it. */
export type AsOf = { readonly revision: number } | { readonly instant: Instant };

/** Digits are a revision. @throws CliError `usage` for neither of both. */
export function parseReplayEnd(text: string): AsOf {
  if (/^\d{1,9}$/.test(text)) return { revision: Number(text) };
  const instant = parseInstant(text);
  if (instant !== undefined) return { instant };
  throw new CliError(
    `--as-of must be a revision, such as 3, or an instant, such as 2027-01-31T10:00:00Z, not ${JSON.stringify(text)}.`,
    'usage',
  );
}

/** Whether an event belongs to the replay. Those behind one that does not belong to it do not either. */
export function isWithin(asOf: AsOf | undefined, { revision, metadata }: RecordedEvent): boolean {
  if (asOf === undefined) return true;
  return 'revision' in asOf ? revision <= asOf.revision : metadata.occurredAt <= asOf.instant;
}
