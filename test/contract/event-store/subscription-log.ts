import {
  type AllStreamSubscription,
  type EventStoreDBClient,
  type Filter,
  type Position,
  streamNameFilter,
  type StreamSubscription,
} from '@eventstore/db-client';
import { eventually } from '../../support/eventually.js';
import { event } from './subject.js';

/** A subscription's messages in the order of their arrival. */
export class SubscriptionLog {
  readonly lines: string[] = [];
  readonly checkpoints: bigint[] = [];
  readonly positions: bigint[] = [];
  error: unknown;

  constructor(readonly subscription: AllStreamSubscription | StreamSubscription) {
    subscription
      .on('confirmation', () => this.lines.push('confirmed'))
      .on('caughtUp', () => this.lines.push('caught up'))
      .on('error', (error: unknown) => (this.error ??= error));
    void this.#follow();
  }

  noteCheckpoint(position: Position): void {
    this.checkpoints.push(position.commit);
    this.lines.push('checkpoint');
  }

  async #follow(): Promise<void> {
    try {
      for await (const resolved of this.subscription) {
        this.lines.push(`${resolved.event?.type} ${resolved.event?.revision}`);
        this.positions.push(resolved.event!.position!.commit);
      }
    } catch (error) {
      this.error ??= error;
    }
  }

  async has(line: string, times = 1): Promise<void> {
    await eventually(() => this.lines.filter((other) => other === line).length >= times);
  }
}

/** Follows $all; the filter may note its checkpoints in the log. */
export function followAll(
  client: EventStoreDBClient,
  filter: (log: () => SubscriptionLog) => Filter,
  fromPosition: Position | 'end',
): SubscriptionLog {
  const holder: { log?: SubscriptionLog } = {};
  const options = { filter: filter(() => holder.log!), fromPosition };
  holder.log = new SubscriptionLog(client.subscribeToAll(options));
  return holder.log;
}

/** Follows streams by the beginnings of their names, and notes the checkpoints. */
export function followStreams(
  client: EventStoreDBClient,
  wanted: { prefixes: string[]; maxSearchWindow?: number; checkpointInterval?: number },
  fromPosition: Position | 'end',
): SubscriptionLog {
  const filter = (self: () => SubscriptionLog) =>
    streamNameFilter({
      ...wanted,
      checkpointReached: async (_, position) => self().noteCheckpoint(position),
    });
  return followAll(client, filter, fromPosition);
}

/** Appends events of one type; answers with the position of the last one. */
export async function appendTo(
  client: EventStoreDBClient,
  stream: string,
  count: number,
  type = 'followed.v1',
): Promise<Position> {
  const list = Array.from({ length: count }, () => event({}, type));
  return (await client.appendToStream(stream, list)).position!;
}
