import { Inject, Injectable } from '@nestjs/common';
import { type Backup, backupStream, readBackup } from '#checkpoint-backup';
import { type EventStore, type NamespaceIdentity, Partitions } from '#event-store';
import { EVENT_STORE } from '#nest';
import { forEachConcurrently } from '#platform';
import { LEDGER_IDENTITY } from '../../tokens.js';

/** Each is the last pages of two streams. */
const PARTITIONS_AT_ONCE = 4;
/**
 * A list is read by pages, and by several readers: the backups, which workers write every few seconds, are read once a
 * second at most.
 */
const KEPT_MS = 1_000;

/** Deliveries in flight, backlogged and given up, as workers write them into the event store (rules/webhooks 8). */
@Injectable()
export class DeliveryBackups {
  #reading: { readonly backups: Promise<readonly Backup[]>; untilMs: number } | undefined;

  constructor(
    @Inject(EVENT_STORE) private readonly store: Pick<EventStore, 'readStream'>,
    @Inject(LEDGER_IDENTITY) private readonly identity: NamespaceIdentity,
  ) {}

  /** Of all partitions that have written one; a reading that is under way is shared. @throws Fault of the store. */
  async read(): Promise<readonly Backup[]> {
    if (this.#reading !== undefined && performance.now() < this.#reading.untilMs) {
      return this.#reading.backups;
    }
    const reading = { backups: this.#readAll(), untilMs: Infinity };
    this.#reading = reading;
    try {
      const backups = await reading.backups;
      reading.untilMs = performance.now() + KEPT_MS;
      return backups;
    } catch (error) {
      reading.untilMs = 0;
      throw error;
    }
  }

  async #readAll(): Promise<readonly Backup[]> {
    const { layoutId, partitions } = this.identity;
    const found: Backup[] = [];
    const { numbers } = new Partitions(partitions);
    await forEachConcurrently(numbers, PARTITIONS_AT_ONCE, async (partition) => {
      const { backup } = await readBackup(this.store, backupStream(layoutId, partition));
      if (backup !== undefined) found.push(backup);
    });
    return found;
  }
}
