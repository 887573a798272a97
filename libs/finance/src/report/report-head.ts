import type { Environment, Instant } from '#domain/event';
import { parseCheckpoint, parseNote } from '#seal';
import type { FoundCheckpoint } from '#sealing';
import type { ReportScope } from './period-books.js';

/** Everything that an answer says about itself: both clocks, and the rules. */
export interface ReportHead extends ReportScope {
  readonly report: string;
  readonly app: string;
  readonly environment: Environment;
  /** The checkpoint that the answer counts to. */
  readonly checkpoint: {
    /** Entries of events with smaller leaves are in it. */
    readonly size: number;
    /** In base64. */
    readonly root: string;
    readonly origin: string;
    /** The moment of the first checkpoint that has its last leaf. */
    readonly at: Instant;
  };
  readonly rules: string;
}

/** @param at the moment of the first checkpoint that has its last leaf. */
export function describeCheckpoint(
  { checkpoint: { note } }: FoundCheckpoint,
  at: Instant,
): ReportHead['checkpoint'] {
  const { origin, size, root } = parseCheckpoint(parseNote(note).text);
  return { size, root: root.toString('base64'), origin, at };
}

/** The first line on a terminal. */
export function describeHead({ checkpoint, effectiveUntil }: ReportHead): string {
  return `as of leaf ${checkpoint.size} (${checkpoint.at}), effective until ${effectiveUntil}`;
}
