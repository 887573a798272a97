import { Inject, Injectable } from '@nestjs/common';
import { idOf, type Position, type RecordedEvent } from '#domain/event';
import {
  type EventStore,
  type EventToAppend,
  type NamespaceIdentity,
  Partitions,
  RevisionConflict,
} from '#event-store';
import { assertDefect, newUuid, wallClock } from '#platform';
import { type Lease, NOTHING } from '#projection-engine';
import { BACKUPS_KEPT, IN_FLIGHT_IN_BACKUP } from '../limits.js';
import { EVENT_STORE, LEASE, NAMESPACE } from '../tokens.js';
import { parseInFlight } from './in-flight.js';

/** The stored name of a backup, for the list of types that this program reads. */
export const DELIVERY_CHECKPOINT_RECORDED = 'delivery_checkpoint.recorded.v1';

/**
 * How far everything has ended, kept in the event store for the day on which Redis is lost: up to
 * `position` every message is delivered or exhausted and every process step done, but for what is named
 * in `inFlight`. A delivery in its third day of retries so holds nothing back.
 */
export interface DeliveryCheckpoint {
  readonly position: Position;
  /** Members as `inFlightMember` writes them. */
  readonly inFlight: readonly string[];
}

/** The backups of the partition's checkpoint in the event store. Calls throw Fault of the store. */
@Injectable()
export class DeliveryCheckpoints {
  readonly #stream: string;

  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(NAMESPACE) private readonly namespace: NamespaceIdentity,
    @Inject(LEASE) private readonly lease: Lease,
  ) {
    this.#stream = backupStream(namespace.layoutId, lease.partition);
  }

  /**
   * The last one; in a ledger that was divided anew, the lowest of those before. Undefined when there is
   * none.
   */
  async readLast(): Promise<DeliveryCheckpoint | undefined> {
    return (await this.#read(this.#stream)) ?? (await this.#readLowestBefore());
  }

  async #read(stream: string): Promise<DeliveryCheckpoint | undefined> {
    for await (const event of this.store.readStream(stream, { backwards: true, maxCount: 1 })) {
      if (event.type === DELIVERY_CHECKPOINT_RECORDED) return toCheckpoint(event);
    }
    return undefined;
  }

  /** Of what was in flight anywhere, only what is this partition's now is its own. */
  async #readLowestBefore(): Promise<DeliveryCheckpoint | undefined> {
    const { before, partitions } = this.namespace;
    if (before === null) return undefined;
    const divided = new Partitions(partitions);
    const streams = new Partitions(before.partitions).numbers.map((partition) =>
      backupStream(before.layoutId, partition),
    );
    const backups = await Promise.all(streams.map((stream) => this.#read(stream)));
    const positions = backups.map((backup) => backup?.position ?? NOTHING).sort();
    const [lowest = NOTHING] = positions;
    // A partition that never wrote one has worked on nothing for sure.
    if (lowest === NOTHING) return undefined;
    const members = backups.flatMap((backup) => backup?.inFlight ?? []).sort();
    const isOwn = (member: string) =>
      divided.find(idOf(parseInFlight(member).streamName)) === this.lease.partition;
    return { position: lowest, inFlight: upTo(members.filter(isOwn), lowest) };
  }

  async write(checkpoint: DeliveryCheckpoint): Promise<void> {
    // Those of a former holder may cross ours: an older one written last only repeats a little more.
    await this.store.append(this.#stream, 'any', [
      toEvent(DELIVERY_CHECKPOINT_RECORDED, checkpoint),
    ]);
  }

  /**
   * Limits how many backups the store keeps, once for all: the stream would grow by one every few
   * seconds otherwise, for ever.
   */
  async limit(): Promise<void> {
    try {
      const limit = toEvent('$metadata', { $maxCount: BACKUPS_KEPT });
      await this.store.append(`$$${this.#stream}`, 'no_stream', [limit]);
    } catch (error) {
      if (!(error instanceof RevisionConflict)) throw error;
    }
  }
}

/** @param layoutId the division that the partition is one of: others have other ranges. */
export function backupStream(layoutId: string, partition: number): string {
  return `delivery_checkpoint-${layoutId}.${partition}`;
}

/**
 * A backup that names a bounded number of things in flight: with more of them it stands before the
 * first that it does not name.
 */
export function boundedCheckpoint(
  position: Position,
  members: readonly string[],
  limit = IN_FLIGHT_IN_BACKUP,
): DeliveryCheckpoint {
  const firstUnnamed = members[limit];
  if (firstUnnamed === undefined) return { position, inFlight: upTo(members, position) };
  const bound = (BigInt(parseInFlight(firstUnnamed).position) - 1n).toString();
  const earlier = bound.padStart(position.length, '0');
  const at = earlier < position ? earlier : position;
  return { position: at, inFlight: upTo(members, at) };
}

/** What lies behind the position is worked on again anyway. */
function upTo(members: readonly string[], position: Position): string[] {
  return members.filter((member) => parseInFlight(member).position <= position);
}

function toEvent(type: string, data: unknown): EventToAppend {
  return {
    id: newUuid(),
    type,
    data,
    metadata: {
      $correlationId: newUuid(),
      actor: 'process:back_up_checkpoint',
      appId: '',
      environment: 'production',
      schemaVersion: 1,
      occurredAt: wallClock.now(),
    },
  };
}

function toCheckpoint({ data }: RecordedEvent): DeliveryCheckpoint {
  // Only `write` writes this type; what it must have is checked all the same.
  const checkpoint = data as DeliveryCheckpoint;
  assertDefect(
    typeof checkpoint.position === 'string' && Array.isArray(checkpoint.inFlight),
    'a backup of a checkpoint without a position',
  );
  return checkpoint;
}
