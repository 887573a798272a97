import { describe, expect, it, vi } from 'vitest';
import type { RunningEndpoint } from '#tenancy';
import { createEvent } from '../../spec-support/fakes.js';
import { DeliveryConsumer } from './delivery-consumer.js';
import type { MessagePlanner, OutgoingMessage } from '../send/message-planner.js';

/** A consumer of an app with so many endpoints; one message is planned. */
function create(endpoints: number) {
  const plan = vi.fn(async () => [{ id: 'msg_1' } as OutgoingMessage]);
  const nothing = {} as never;
  const listed = Array.from({ length: endpoints }, () => ({}) as RunningEndpoint);
  const consumer = new DeliveryConsumer(
    ...([nothing, { plan } as unknown as MessagePlanner, nothing, nothing] as const),
    ...([nothing, { listEndpoints: async () => listed }] as const),
  );
  return { consumer, plan };
}

describe('messages of an event', () => {
  it('are made where its app has an endpoint', async () => {
    const { consumer } = create(1);
    expect(await consumer.plan(createEvent('sub_1', 1))).toHaveLength(1);
  });

  it('are not made where no endpoint could be sent one', async () => {
    const { consumer, plan } = create(0);
    expect(await consumer.plan(createEvent('sub_1', 1))).toBe(undefined);
    expect(plan).not.toHaveBeenCalled();
  });

  it('are those that are sent again to an endpoint, whatever the list says', async () => {
    const { consumer, plan } = create(0);
    const streamName = 'webhook_endpoint-whe_1';
    await consumer.plan(createEvent('', 1, { streamName, type: 'webhook_endpoint.tested.v1' }));
    expect(plan).toHaveBeenCalled();
  });
});
