import { Injectable } from '@nestjs/common';
import type { ExhaustedDelivery } from '#worker-state';
import { EXHAUSTED_BESIDE_LIST } from '../limits.js';
import { BackupLog } from './backup-log.js';

type Exhausted = readonly ExhaustedDelivery[];

/**
 * The list of deliveries that were given up, beside the backups in the event store. It is written anew when so many
 * were given up since that a backup should not name them: one that names all of them every few seconds would be large.
 */
@Injectable()
export class ExhaustedList {
  /** As this process knows the list; undefined until it was read, and after a failure. */
  #written: { readonly revision: number; readonly members: ReadonlySet<string> } | undefined;

  constructor(private readonly backups: BackupLog) {}

  /** @returns those that a backup has to name beside the list. @throws Fault of the store; RevisionConflict. */
  async nameOthers(exhausted: Exhausted): Promise<Exhausted> {
    const { revision, members } = (this.#written ??= await this.#read());
    const others = exhausted.filter(({ member }) => !members.has(member));
    if (others.length <= EXHAUSTED_BESIDE_LIST) return others;
    this.#written = undefined;
    const after = await this.backups.appendExhausted(revision, exhausted);
    this.#written = { revision: after, members: toMembers(exhausted) };
    return [];
  }

  async #read() {
    const { revision, backup } = await this.backups.readExhausted();
    return { revision, members: toMembers(backup?.exhausted ?? []) };
  }
}

function toMembers(exhausted: Exhausted): Set<string> {
  return new Set(exhausted.map(({ member }) => member));
}
