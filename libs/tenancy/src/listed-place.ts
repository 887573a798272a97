import type { Position, RecordedEvent } from '#domain/event';
import { ledgerUpgradeAggregate } from '#domain/ledger-upgrade';
import {
  type CommandExecutor,
  type EventStore,
  eventOfNoApp,
  limitStream,
  type NamespaceIdentity,
  RevisionConflict,
  START,
} from '#event-store';
import type { Clock } from '#platform';

/** The name of the upgrade in the ledger (decision 0095). */
export const ENDPOINT_LISTS = 'endpoint_lists';
/** What is beside the upgrade, and bounded: the place is written for as long as the ledger lives. */
const STREAM = `${ledgerUpgradeAggregate.category}-${ENDPOINT_LISTS}_place`;
const ACTOR = 'process:list_endpoints';
/** Workers look at about the same time: one that looks a little early leaves it to none. */
const NOTED_LATELY_SHARE = 0.9;

interface ListedPlaceOptions {
  readonly store: EventStore;
  readonly commands: Pick<CommandExecutor, 'load'>;
  readonly identity: NamespaceIdentity;
  readonly clock: Clock;
}

/** Up to where all endpoints are known to be listed, once the upgrade is over (decision 0100). */
export class ListedPlace {
  constructor(private readonly options: ListedPlaceOptions) {}

  /** The last note; undefined before the first one. A start reads no more than this. @throws Fault. */
  async readLast(): Promise<RecordedEvent | undefined> {
    const last = { backwards: true, maxCount: 1 };
    for await (const note of this.options.store.readStream(STREAM, last)) return note;
    return undefined;
  }

  /** Whether the ledger was read through once: only then is a place noted here. @throws Fault. */
  async isUpgraded(): Promise<boolean> {
    return (await this.readLast()) !== undefined || (await this.loadUpgrade()).isCompleted;
  }

  /** Before the first note, the upgrade tells it, as in a ledger of a release that noted it there. @throws Fault. */
  async find(): Promise<Position> {
    return this.read((await this.readLast())?.data ?? (await this.loadUpgrade()).at);
  }

  /** Notes it, unless a process that was further has. @throws Fault. */
  async note(upTo: Position): Promise<void> {
    const { store, identity } = this.options;
    const last = await this.readLast();
    if (last !== undefined && this.read(last.data) >= upTo) return;
    const at = { layoutId: identity.layoutId, upTo };
    try {
      // Of the last note alone a start has to know, and one an hour would be read by every start.
      if (last === undefined) await limitStream(store, STREAM, 1, ACTOR);
      const note = eventOfNoApp(ACTOR, 'ledger_upgrade.advanced.v1', at);
      await store.append(STREAM, last?.revision ?? 'no_stream', [note]);
    } catch (error) {
      // Another worker has noted a place just now.
      if (!(error instanceof RevisionConflict)) throw error;
    }
  }

  /** Whether any worker noted a place of this store within the time. @throws Fault. */
  async isNotedWithin(limitMs: number): Promise<boolean> {
    const last = await this.readLast();
    if (last === undefined || this.read(last.data) === START) return false;
    const ageMs = Date.parse(this.options.clock.now()) - Date.parse(last.metadata.occurredAt);
    // A clock that was far ahead must not keep everyone from noting.
    return Math.abs(ageMs) < limitMs * NOTED_LATELY_SHARE;
  }

  /** Positions of another store, or of a time that was lost with a restore, mean nothing. */
  private read(data: unknown): Position {
    const at = data as { readonly layoutId: string; readonly upTo: Position } | null;
    return at?.layoutId === this.options.identity.layoutId ? at.upTo : START;
  }

  private async loadUpgrade() {
    return (await this.options.commands.load(ledgerUpgradeAggregate, ENDPOINT_LISTS)).state;
  }
}
