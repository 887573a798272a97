import { Inject, Injectable } from '@nestjs/common';
import type { Position } from '#domain/event';
import {
  webhookEndpointAggregate,
  type WebhookEndpointResendRequested,
} from '#domain/webhook-endpoint';
import type { EventStore, NamespaceIdentity } from '#event-store';
import { EVENT_STORE } from '#nest';
import { groupBy } from '#platform';
import {
  type Backup,
  type ExhaustedDelivery,
  PLAYER_ERASED,
  readBackups,
  readInFlight,
} from '#worker-state';
import { LEDGER_IDENTITY } from '../../tokens.js';

/** A delivery that was given up, with the data of its member. */
export interface FailedDelivery extends Omit<ExhaustedDelivery, 'member'> {
  readonly target: string;
  /** Of the event by which it began: that of its message, or the one that asked for it again. */
  readonly position: Position;
  readonly streamName: string;
  readonly revision: number;
  readonly messageId: string;
}

type IsWanted = (delivery: FailedDelivery) => boolean;

/**
 * Deliveries that were given up, as workers write them into the event store (rules/webhooks 8), and were not asked for
 * again since: a resend that is given up, too, is named as such (decision 0031).
 */
@Injectable()
export class FailedDeliveries {
  constructor(
    @Inject(EVENT_STORE) private readonly store: Pick<EventStore, 'readStream'>,
    @Inject(LEDGER_IDENTITY) private readonly identity: NamespaceIdentity,
  ) {}

  /** The last backups of all partitions. @throws Fault of the store. */
  readBackups(): Promise<(Backup | undefined)[]> {
    return readBackups(this.store, this.identity);
  }

  /**
   * Those that are wanted, each message of an endpoint once, oldest first.
   *
   * @param backups where they were read already. @throws Fault of the store.
   */
  async find(isWanted: IsWanted, backups?: readonly (Backup | undefined)[]) {
    const all = (backups ?? (await this.readBackups()))
      .flatMap((backup) => (backup?.exhausted ?? []).flatMap(readFailed))
      .filter(isWanted)
      .sort(byPosition);
    const listed: FailedDelivery[] = [];
    for (const ofEndpoint of groupBy(all, ({ target }) => target)) {
      listed.push(...(await this.leaveOutAskedAgain(ofEndpoint)));
    }
    return listed.sort(byPosition);
  }

  /**
   * The same without deliveries that ended since their player was erased, which cannot be sent again. @throws Fault.
   */
  findSendable(isWanted: IsWanted, backups?: readonly (Backup | undefined)[]) {
    return this.find((each) => each.reason !== PLAYER_ERASED && isWanted(each), backups);
  }

  /** @param failed of one endpoint, oldest first. */
  private async leaveOutAskedAgain(failed: readonly FailedDelivery[]): Promise<FailedDelivery[]> {
    const [oldest] = failed;
    if (oldest === undefined) return [];
    const newest = new Map(failed.map((each) => [each.messageId, each]));
    const askedAgain = await this.readAskedAgain(oldest.target, oldest.position);
    return [...newest.values()].filter(
      ({ messageId, position }) => (askedAgain.get(messageId) ?? '') <= position,
    );
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
      // The event's type determines its data.
      const { messages } = event.data as WebhookEndpointResendRequested['data'];
      for (const { messageId } of messages) {
        if (!asked.has(messageId)) asked.set(messageId, event.position);
      }
    }
    return asked;
  }
}

/** None for a member that another release may have written. */
function readFailed({ member, ...delivery }: ExhaustedDelivery): FailedDelivery[] {
  const work = readInFlight(member);
  if (work?.messageId === undefined) return [];
  const { target, position, streamName, revision, messageId } = work;
  return [{ ...delivery, target, position, streamName, revision, messageId }];
}

function byPosition(left: FailedDelivery, right: FailedDelivery): number {
  return left.position < right.position ? -1 : 1;
}
