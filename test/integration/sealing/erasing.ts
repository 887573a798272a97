import type { LedgerStore } from '#event-store';
import { eventually } from '../../support/eventually.js';
import { added } from '../event-store/support.js';
import { readLog } from './altered-ledger.js';

/** Cuts off the events of a stream in front of a revision for good, as the erasure of a player does. */
export async function cutOff(store: LedgerStore, name: string, revision: number): Promise<void> {
  const stored = store.names.toStored(name);
  await store.truncations.truncate(name, revision);
  await store.scavenges.start();
  const isGone = async () => {
    const list = await store.scavenges.list();
    if (list?.at(0)?.result !== 'Success') return false;
    const log = await readLog(store);
    return !log.some((event) => event.streamName === stored && event.revision < revision);
  };
  await eventually(isGone, { what: 'a scavenge' });
}

/** Erases a player whose stream has so many events. */
export async function erasePlayer(store: LedgerStore, id: string, events: number): Promise<void> {
  await store.append(`player-${id}`, events - 1, [added(1, 'player.erased.v1')]);
  await cutOff(store, `player-${id}`, events);
}
