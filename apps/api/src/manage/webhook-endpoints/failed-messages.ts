import { Inject, Injectable } from '@nestjs/common';
import {
  backupStream,
  type ExhaustedDelivery,
  PLAYER_ERASED,
  readBackup,
  readInFlight,
} from '#checkpoint-backup';
import type { Position } from '#domain/event';
import {
  type ResentMessage,
  webhookEndpointAggregate,
  type WebhookEndpointResendRequested,
} from '#domain/webhook-endpoint';
import { type EventStore, type NamespaceIdentity, Partitions } from '#event-store';
import { EVENT_STORE } from '#nest';
import { forEachConcurrently } from '#platform';
import { LEDGER_IDENTITY } from '../../tokens.js';

/** A message that was given up at an endpoint. */
export interface FailedMessage extends ResentMessage {
  /** Of the event by which its last delivery began: its own, or the one that asked for it again. */
  readonly position: Position;
  /** Whether it was not sent, since its player was erased: it cannot be sent again. */
  readonly isErased: boolean;
}

/** Each is a stream of some thousand records that is read from its end. */
const PARTITIONS_AT_ONCE = 4;

/**
 * What was given up, as workers write it into the event store (rules/webhooks 8), and was not asked for again since:
 * a resend that is given up, too, is named as such (decision 0126).
 */
@Injectable()
export class FailedMessages {
  constructor(
    @Inject(EVENT_STORE) private readonly store: Pick<EventStore, 'readStream'>,
    @Inject(LEDGER_IDENTITY) private readonly identity: NamespaceIdentity,
  ) {}

  /** Those of an endpoint, each once, oldest first. @throws Fault of the store. */
  async find(endpointId: string): Promise<FailedMessage[]> {
    const newest = new Map<string, FailedMessage>();
    for (const each of await this.readAll(endpointId)) newest.set(each.messageId, each);
    const failed = [...newest.values()].sort(byPosition);
    const [oldest] = failed;
    if (oldest === undefined) return [];
    const askedAgain = await this.readAskedAgain(endpointId, oldest.position);
    return failed.filter(
      ({ messageId, position }) => (askedAgain.get(messageId) ?? '') <= position,
    );
  }

  /** Oldest first. */
  private async readAll(endpointId: string): Promise<FailedMessage[]> {
    const { layoutId, partitions } = this.identity;
    const found: FailedMessage[] = [];
    const { numbers } = new Partitions(partitions);
    await forEachConcurrently(numbers, PARTITIONS_AT_ONCE, async (partition) => {
      const { backup } = await readBackup(this.store, backupStream(layoutId, partition));
      for (const each of backup?.exhausted.values() ?? []) {
        found.push(...readFailed(each, endpointId));
      }
    });
    return found.sort(byPosition);
  }

  /** When each message was asked for last, behind a position. */
  private async readAskedAgain(
    endpointId: string,
    since: Position,
  ): Promise<ReadonlyMap<string, Position>> {
    const asked = new Map<string, Position>();
    const stream = `${webhookEndpointAggregate.category}-${endpointId}`;
    for await (const event of this.store.readStream(stream, { backwards: true })) {
      if (event.position <= since) break;
      if (event.type !== 'webhook_endpoint.resend_requested.v1') continue;
      // The type says what it holds.
      const { messages } = event.data as WebhookEndpointResendRequested['data'];
      for (const { messageId } of messages) {
        if (!asked.has(messageId)) asked.set(messageId, event.position);
      }
    }
    return asked;
  }
}

function readFailed({ member, reason }: ExhaustedDelivery, endpointId: string): FailedMessage[] {
  const delivery = readInFlight(member);
  if (delivery?.messageId === undefined || delivery.target !== endpointId) return [];
  const { position, streamName, revision, messageId } = delivery;
  return [{ position, streamName, revision, messageId, isErased: reason === PLAYER_ERASED }];
}

function byPosition(left: FailedMessage, right: FailedMessage): number {
  return left.position < right.position ? -1 : 1;
}
