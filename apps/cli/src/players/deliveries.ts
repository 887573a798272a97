import type { Position } from '#domain/event';
import { readPlayerBucket } from '#domain/ids';
import { type LedgerStore, Partitions } from '#event-store';
import { sleep } from '#platform';
import { type Backup, backupStream, readBackup, readInFlight } from '#worker-state';
import type { OwedMessages } from './owed-messages.js';
import type { Purchases } from './purchases.js';

/** Workers write how far they are every few seconds. */
const POLL_EVERY_MS = 250;

/** The messages about a player that are still to be sent. */
export interface Undelivered {
  /** Whether all events have been looked at: until then, more messages may come. */
  readonly isComplete: boolean;
  readonly messages: number;
}

interface Waiting {
  readonly store: LedgerStore;
  readonly player: string;
  readonly purchases: Purchases;
  readonly owed: OwedMessages;
  readonly limitMs: number;
  readonly onProgress: (share: number) => void;
}

/**
 * Waits until every message about a player is delivered or given up, as workers write it into the store every few
 * seconds (decision 0013), or until the limit has passed.
 *
 * @returns the messages that are left then. @throws Fault.
 */
export async function awaitDeliveries(waiting: Waiting): Promise<Undelivered> {
  const endsAt = performance.now() + waiting.limitMs;
  let most = 1;
  for (;;) {
    const left = await readUndelivered(waiting);
    most = Math.max(most, left.messages);
    waiting.onProgress(left.isComplete ? 1 - left.messages / most : 0);
    const isDone = left.isComplete && left.messages === 0;
    if (isDone || performance.now() >= endsAt) return left;
    await sleep(POLL_EVERY_MS);
  }
}

async function readUndelivered({ store, player, purchases, owed }: Waiting): Promise<Undelivered> {
  const { layoutId, partitions } = await store.namespaces.require();
  const partition = new Partitions(partitions).findForBucket(readPlayerBucket(player));
  const { backup } = await readBackup(store, backupStream(layoutId, partition));
  const begun = countUndelivered(backup, purchases, purchases.lastSent);
  const behind = backup === undefined ? 0 : await owed.count(backup.cursors);
  return { ...begun, messages: begun.messages + behind };
}

/**
 * The deliveries that have begun and not ended. @param upTo the position of the last event that has to be looked at.
 */
export function countUndelivered(
  backup: Pick<Backup, 'position' | 'inFlight' | 'parked'> | undefined,
  purchases: Pick<Purchases, 'has'>,
  upTo: Position,
): Undelivered {
  if (backup === undefined) return { isComplete: upTo === '', messages: 0 };
  const messages = backup.inFlight.filter(({ member }) => {
    const delivery = readInFlight(member);
    return delivery?.messageId !== undefined && purchases.has(delivery.streamName);
  });
  const isParked = backup.parked.some(({ streamName }) => purchases.has(streamName));
  return { isComplete: backup.position >= upTo && !isParked, messages: messages.length };
}
