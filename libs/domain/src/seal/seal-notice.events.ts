import type { DomainEvent } from '../event/index.js';

/**
 * A checkpoint of the whole ledger of which apps that witness it are notified (rules/evidence 10). The data are the same
 * for all apps.
 */
export type SealNoticeRecorded = DomainEvent<
  'seal_notice.recorded.v1',
  {
    /** Leaves in the checkpoint. */
    readonly size: number;
    /** The signed note of the checkpoint. */
    readonly note: string;
    /** Leaves in the checkpoint before it; 0 for the first one. */
    readonly previousSize: number;
    /** The proof that this tree grew from the one before, each hash in base64. */
    readonly hashes: readonly string[];
  }
>;
export type SealNoticeEvent = SealNoticeRecorded;

/** The category of the streams of notices, one for each app: they are kept for days only. */
export const SEAL_NOTICE_CATEGORY = 'seal_notice';
