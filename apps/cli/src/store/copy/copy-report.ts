import type { NamespaceIdentity } from '#event-store';
import type { ReadableDigest, StoreComparison } from './compare-stores.js';

/** The result of a copy. */
export interface CopyReport extends StoreComparison {
  readonly namespace: string;
  readonly storeId: string;
  /** Events that were written in this run. */
  readonly copied: number;
  readonly isSame: boolean;
  /** Whether programs start on the source no more. */
  readonly isSourceClosed: boolean;
  /** Whether the target is the ledger from now on. */
  readonly isSwitched: boolean;
}

const SWITCHED =
  'The target is the ledger now: start its programs there. The source is closed, and no program starts on it any more.';
const CLOSED =
  'The source is closed, and the target is not open: switch again, or take the move back (--switch-back).';
/** Lines of each kind that people are shown; `--json` names more. */
const SHOWN = 20;

export function toReport(
  { namespace, storeId }: NamespaceIdentity,
  copied: number,
  comparison: StoreComparison,
): CopyReport {
  return {
    namespace,
    storeId,
    copied,
    isSame: comparison.differing === 0,
    isSourceClosed: false,
    isSwitched: false,
    ...comparison,
  };
}

/** As people read it. */
export function describeReport(report: CopyReport): string {
  const { namespace, copied, streams, events, differing, differences, truncated } = report;
  const lines = [
    `The namespace "${namespace}": ${format(events)} events in ${format(streams)} streams, ` +
      `${format(copied)} of them copied now.`,
  ];
  if (truncated > 0) {
    lines.push(`${format(truncated)} streams begin with the first event that was left:`);
    const named = report.truncatedStreams.map(
      ({ stream, fromRevision }) => `  ${stream}: revision ${fromRevision} is 0 in the target`,
    );
    lines.push(...shorten(named, truncated));
  }
  if (differing === 0) {
    lines.push('Source and target hold the same, by number and hash of each stream.');
  } else {
    lines.push(`${format(differing)} streams differ:`);
    const named = differences.map(
      ({ stream, source, target }) =>
        `  ${stream}: ${describe(source)} in the source, ${describe(target)} in the target`,
    );
    lines.push(...shorten(named, differing));
  }
  if (report.isSwitched) lines.push(SWITCHED);
  else if (report.isSourceClosed) lines.push(CLOSED);
  return lines.join('\n');
}

function describe(digest: ReadableDigest): string {
  if (digest === null) return 'nothing';
  return `${format(digest.count)} events (${digest.hash.slice(0, 8) || 'ended'})`;
}

function shorten(lines: readonly string[], total: number): string[] {
  const shown = lines.slice(0, SHOWN);
  return total > shown.length ? [...shown, `  and ${format(total - shown.length)} more`] : shown;
}

function format(number: number): string {
  return number.toLocaleString('en-US');
}
