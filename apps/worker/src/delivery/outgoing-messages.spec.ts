import { beforeEach, describe, expect, it } from '@jest/globals';
import type { EventReader } from '../feed/event-reader.js';
import { createEvent } from '../spec-support/fakes.js';
import type { MessagePlanner } from './message-planner.js';
import type { OutgoingMessage } from './outgoing-message.js';
import { OutgoingMessages } from './outgoing-messages.js';
import { delivery } from './spec-support/deliveries.js';

const first = delivery(1);
const event = createEvent('', 1, { streamName: first.streamName, revision: first.revision });
const other = { ...first, member: `${first.member} at another endpoint` };
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
  messages.keep(event, [{ id: first.messageId } as OutgoingMessage]);
  messages.begin(first);
  messages.begin(other);
});

describe('the messages of an event', () => {
  it('are kept until the last of their deliveries has ended', async () => {
    messages.end(first);
    await messages.find(other);
    expect(made).toBe(0);
    messages.end(other);
    expect(messages.findKept(event)).toBeUndefined();
  });

  it('stay known by their deliveries when their event comes again', () => {
    messages.keep(event, []);
    messages.end(first);
    expect(messages.findKept(event)).toEqual([]);
  });

  it('are made again for a delivery that comes later, and go with it', async () => {
    for (const one of [first, other]) messages.end(one);
    await messages.find(first);
    expect([made, messages.findKept(event)?.length]).toEqual([1, 1]);
    messages.end(first);
    expect(messages.findKept(event)).toBeUndefined();
  });
});
