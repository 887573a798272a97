import type { RecordedEvent } from '#domain/event';
import { Partitions } from '#event-store';
import { loadScript, type Redis } from '#redis';
import { workerKeys } from './keys.js';

const lookAtDeliveries = loadScript(new URL('./lua/look-at-deliveries-4.lua', import.meta.url));

/** The outcomes of the messages of single events, for those who wait for merchants to know (decision 0035). */
export class EventDeliveries {
  constructor(
    private readonly redis: Redis,
    private readonly ledger: { readonly layoutId: string; readonly partitions: number },
  ) {}

  /**
   * Whether each message of the event was delivered, or given up.
   *
   * @param endpointIds those that are sent one. @returns false where Redis does not know: it was emptied, or the
   *   worker has not come to the event. @throws Fault of Redis.
   */
  async haveEnded(
    { position, streamName }: Pick<RecordedEvent, 'position' | 'streamName'>,
    endpointIds: readonly string[],
  ): Promise<boolean> {
    const { layoutId, partitions } = this.ledger;
    const partition = new Partitions(partitions).find(streamName);
    const { checkpoint, parked, cursors, inFlight } = workerKeys(layoutId, partition);
    const args = [position, streamName, ...endpointIds];
    const keys = [checkpoint, parked, cursors, inFlight];
    return (await lookAtDeliveries(this.redis, keys, args)) === 1;
  }
}
