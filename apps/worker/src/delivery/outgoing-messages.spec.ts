import { beforeEach, describe, expect, it } from '@jest/globals';
import type { EventReader } from '../feed/event-reader.js';
import { createEvent } from '../spec-support/fakes.js';
import type { MessagePlanner } from './message-planner.js';
import type { OutgoingMessage } from './outgoing-message.js';
import { OutgoingMessages } from './outgoing-messages.js';
import { delivery } from './spec-support/deliveries.js';

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
  messages = new OutgoingMessages(planner as MessagePlanner, events as EventReader, { count: 1 });
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
    expect([made, messages.findKept(event)?.length]).toEqual([1, 1]);
  });
});
