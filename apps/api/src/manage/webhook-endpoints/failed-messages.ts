import { Inject, Injectable } from '@nestjs/common';
import { backupStream, type ExhaustedDelivery, readBackup, readInFlight } from '#checkpoint-backup';
import type { Position } from '#domain/event';
import type { ResentMessage } from '#domain/webhook-endpoint';
import { type EventStore, type NamespaceIdentity, Partitions } from '#event-store';
import { EVENT_STORE } from '#nest';
import { forEachConcurrently } from '#platform';
import { LEDGER_IDENTITY } from '../../tokens.js';

/** A message that was given up at an endpoint. */
export interface FailedMessage extends ResentMessage {
  /** Of its event. */
  readonly position: Position;
  /** What the last attempt failed with. */
  readonly reason: string;
}

/** Each is a stream of some thousand records that is read from its end. */
const PARTITIONS_AT_ONCE = 4;

/** What was given up, as workers write it into the event store (rules/webhooks 8). */
@Injectable()
export class FailedMessages {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(LEDGER_IDENTITY) private readonly identity: NamespaceIdentity,
  ) {}

  /** Those of an endpoint, oldest event first. @throws Fault of the store. */
  async find(endpointId: string): Promise<FailedMessage[]> {
    const { layoutId, partitions } = this.identity;
    const found: FailedMessage[] = [];
    const { numbers } = new Partitions(partitions);
    await forEachConcurrently(numbers, PARTITIONS_AT_ONCE, async (partition) => {
      const { backup } = await readBackup(this.store, backupStream(layoutId, partition));
      for (const each of backup?.exhausted.values() ?? []) {
        found.push(...readFailed(each, endpointId));
      }
    });
    return found.sort((left, right) => (left.position < right.position ? -1 : 1));
  }
}

function readFailed({ member, reason }: ExhaustedDelivery, endpointId: string): FailedMessage[] {
  const delivery = readInFlight(member);
  if (delivery?.messageId === undefined || delivery.target !== endpointId) return [];
  const { position, streamName, revision, messageId } = delivery;
  return [{ position, streamName, revision, messageId, reason }];
}
