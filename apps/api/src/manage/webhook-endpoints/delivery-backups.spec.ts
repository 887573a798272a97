import { describe, expect, it } from '@jest/globals';
import type { EventStore, NamespaceIdentity } from '#event-store';
import { DeliveryBackups } from './delivery-backups.js';

/** A store whose partitions have written nothing; `isDown` says whether it can be read. */
function create() {
  const store = { reads: [] as string[], isDown: false };
  const readStream: EventStore['readStream'] = async function* (streamName) {
    store.reads.push(streamName);
    await Promise.resolve();
    if (store.isDown) throw new Error('out of reach');
    yield* [];
  };
  // As much of a ledger as is asked for.
  const identity = { layoutId: 'layout', partitions: 2 } as NamespaceIdentity;
  return { store, backups: new DeliveryBackups({ readStream }, identity) };
}

const BOTH = ['delivery_checkpoint-layout.0', 'delivery_checkpoint-layout.1'];

describe('the backups of all partitions', () => {
  it('are read once for all who look at them in a moment', async () => {
    const { store, backups } = create();
    const [first] = await Promise.all([backups.read(), backups.read()]);
    expect(first).toEqual([]);
    await backups.read();
    expect(store.reads).toEqual(BOTH);
  });

  it('are read again after a reading that failed', async () => {
    const { store, backups } = create();
    store.isDown = true;
    await expect(backups.read()).rejects.toThrow('out of reach');
    store.isDown = false;
    expect(await backups.read()).toEqual([]);
  });
});
