import type { LogStore } from '../storage/log-store.js';
import {
  isScavenged,
  recordCreatedMs,
  recordType,
  TOMBSTONE_REVISION,
  type LoggedRecord,
} from '../storage/record.js';
import { LINK_TYPE } from '../stream/stream-metadata.js';
import type { StreamCatalog } from './stream-catalog.js';

/** The answer of a read: an event, or a link with the event it leads to, if any. */
export interface ResolvedRecord {
  readonly event?: LoggedRecord;
  readonly link?: LoggedRecord;
}

/**
 * The answer for a record when links are resolved: the event that a link leads to, together with the link; the link
 * alone if its target is gone; the record itself otherwise.
 */
export class LinkResolver {
  constructor(
    private readonly store: LogStore,
    private readonly catalog: StreamCatalog,
  ) {}

  resolve(logged: LoggedRecord, nowMs: number): ResolvedRecord {
    if (recordType(logged.record) !== LINK_TYPE) return { event: logged };
    const target = parseLink(this.store.data(logged).toString('utf8'));
    if (!target) return { event: logged };
    const extent = this.catalog.extent(target.streamName, nowMs);
    const isReadable = extent.state === 'readable' && target.revision >= extent.firstRevision;
    const entry = isReadable ? this.store.entry(extent.number, target.revision) : undefined;
    const record = entry && this.store.event(target.streamName, entry);
    if (!record || isScavenged(record)) return { link: logged };
    if (recordCreatedMs(record) < extent.createdFromMs) return { link: logged };
    return { link: logged, event: { position: entry.position, record } };
  }
}

/** `<revision>@<stream>`; the stream's name may contain further `@`. */
function parseLink(text: string): { revision: number; streamName: string } | undefined {
  const match = /^(\d{1,15})@(.+)$/s.exec(text);
  if (!match) return undefined;
  const revision = Number(match[1]);
  return revision < TOMBSTONE_REVISION ? { revision, streamName: match[2] ?? '' } : undefined;
}
