import { beforeEach, describe, expect, it } from 'vitest';
import type { EventReader } from '../../feed/event-reader.js';
import { createEvent, silent } from '../../spec-support/fakes.js';
import type { MessagePlanner, OutgoingMessage } from './message-planner.js';
import { OutgoingMessages } from './outgoing-messages.js';
import { delivery } from './spec-support/delivery.js';

const first = delivery(1);
const event = createEvent('', 1, { streamName: first.streamName, revision: first.revision });
let messages: OutgoingMessages;
/** How often the messages were made of their event. */
let made: number;

beforeEach(() => {
  made = 0;
  const planner: Partial<MessagePlanner> = {
    plan: async () => {
      made += 1;
      return [{ id: first.messageId } as OutgoingMessage];
    },
  };
  const events: Partial<EventReader> = {
    readAll: async () => ({ events: [event], unreadable: [] }),
  };
  messages = new OutgoingMessages(
    ...([planner as MessagePlanner, events as EventReader, { count: 1 }, silent] as const),
  );
});

describe('the messages of an event', () => {
  it('are those that were planned when it came', async () => {
    messages.keep(event, [{ id: first.messageId } as OutgoingMessage]);
    expect(await messages.find(first)).toMatchObject({ id: first.messageId });
    expect(made).toBe(0);
  });

  it('are made again of their event, once, where memory does not have them', async () => {
    await messages.find(first);
    await messages.find({ ...first, member: `${first.member} at another endpoint` });
    expect(await messages.planAllAgain([event])).toMatchObject([{ plan: [{ id: 'msg_1' }] }]);
    expect(made).toBe(1);
  });

  it('keep the place of an event that this release cannot read: it is not passed over', async () => {
    const { metadata: _, ...item } = createEvent('sub_1', 5);
    const unreadable = { ...item, undecodable: true, reason: 'newer_version' } as const;
    const later = createEvent('sub_2', 6);
    expect(await messages.planAllAgain([unreadable, later])).toMatchObject([
      { event: unreadable, plan: null },
      { event: later, plan: [{}] },
    ]);
  });
});
