import type { LedgerStore } from '#event-store';
import { sleep } from '#platform';
import { CliError } from '../cli-error.js';
import { type Erasure, readErasure } from './erasures.js';

/** One that began before may pass by events that were cut off since: its end is waited for so long. */
const FORMER_SCAVENGE_LIMIT_MS = 30_000;
const POLL_EVERY_MS = 250;

/**
 * Starts the scavenge that takes an erased player's key off the disk, if it is due and none runs that will do it.
 * Another one is started only when the one that ran has ended. Of a cluster one node is scavenged so.
 *
 * @returns whether the store lets this user. @throws CliError where it failed; Fault.
 */
export async function startScavenge(store: LedgerStore, player: string): Promise<boolean> {
  const endsAt = performance.now() + FORMER_SCAVENGE_LIMIT_MS;
  let running: string | undefined;
  for (;;) {
    const erasure = await readErasure(store, player);
    if (!isToBegin(erasure) || performance.now() >= endsAt) return true;
    const known = await store.scavenges.list();
    const last = known?.find(({ id }) => id === running);
    if (last?.result !== undefined && last.result !== 'Success') throw failed(player, last);
    if (running === undefined || last?.result === 'Success') {
      running = await store.scavenges.start();
      if (running === undefined) return false;
      // One who may start them and not read of them would start one after the other.
      if (known === undefined) return true;
    }
    await sleep(POLL_EVERY_MS);
  }
}

/** Not where another node has scavenged since: the rest is due on the others. */
function isToBegin(erasure: Erasure | undefined): boolean {
  if (erasure?.due !== 'scavenge' || erasure.isScavenging) return false;
  return erasure.nodes === undefined || erasure.nodes.done.length === 0;
}

function failed(
  player: string,
  { result, error }: { readonly result: string | undefined; readonly error: string | undefined },
): CliError {
  const why = error === undefined ? '' : `: ${error}`;
  return new CliError(
    `The player ${player} is erased, but the key is still on the event store's disk: its scavenge ended as ` +
      `${result}${why}. Run the command again when that is mended.`,
    'refused',
  );
}
