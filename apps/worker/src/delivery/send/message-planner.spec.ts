import { beforeEach, describe, expect, it } from 'vitest';
import type { RecordedEvent } from '#domain/event';
import { paymentAggregate } from '#domain/payment';
import { playerAggregate } from '#domain/player';
import { subscriptionAggregate } from '#domain/subscription';
import {
  type CommandExecutor,
  createCommandExecutor,
  type EventStore,
  Partitions,
  StatesAtRevision,
} from '#event-store';
import { createSeal, fixedMasterKeys } from '#platform';
import { periodCharge } from '../../../../../libs/domain/src/payment/spec-support/period-charge.js';
import { terms } from '../../../../../libs/domain/src/subscription/spec-support/subscriptions.js';
import { MemoryEventStore } from '../../../../../test/support/memory-event-store.js';
import { loadingPersonalData } from '../../../../../test/support/personal-data.js';
import { silent } from '../../spec-support/fakes.js';
import { EventReader } from '../../feed/event-reader.js';
import { inFlightMember } from '#worker-state';
import { MessagePlanner } from './message-planner.js';
import type { OutgoingMessage } from './message-planner.js';
import { OutgoingMessages } from './outgoing-messages.js';

const now = '2027-01-31T10:00:00.000Z';
const { player, subscriptionId, appId } = terms;
const context = {
  appId,
  environment: 'test',
  actor: 'app',
  correlationId: 'r',
  now,
  player,
} as const;

const [LOST, OTHER] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)];

let store: MemoryEventStore;
let event: RecordedEvent;

/** A planner and an opener of messages, over a store in memory, under the master keys of one process. */
function planUnder(...masterKeys: Buffer[]) {
  // As much of a store as commands need.
  const commands = createCommandExecutor(store as unknown as EventStore, { cacheSize: 0 });
  const personalData = loadingPersonalData(commands, createSeal(fixedMasterKeys(masterKeys)));
  const states = new StatesAtRevision(commands, 10);
  const planner = new MessagePlanner(states, personalData);
  const one = new Partitions(1);
  const messages = new OutgoingMessages(planner, new EventReader(store), one, silent);
  /** As it was planned before, or as it is planned anew. */
  const open = async (message: OutgoingMessage, isKept = true) => {
    if (isKept) messages.keep(message.event, [message]);
    const { position, streamName, revision } = message.event;
    const member = inFlightMember(message.event, 'whe_1', message.id);
    const of = { member, position, target: 'whe_1', streamName, revision };
    return (await messages.find({ ...of, messageId: message.id })).open();
  };
  const subscribe = async (personal: object): Promise<RecordedEvent> => {
    const of = { ...terms, personal };
    const command = { kind: 'CreateSubscription', terms: of, initialPayment: null, now } as const;
    await commands.execute(subscriptionAggregate, subscriptionId, command, context);
    return store.events(`subscription-${subscriptionId}`)[0]!;
  };
  return { commands, personalData, planner, open, subscribe };
}

async function pay(commands: CommandExecutor, paymentId: string, ofApp: string): Promise<void> {
  const purpose = { subscriptionId: 'sub_1', amount: terms.price, start: now, number: 1 };
  const charge = {
    ...{ paymentId, appId: ofApp, player, checkoutLinkId: 'link_1' },
    ...{ ...periodCharge(purpose), paymentMethod: 'pm_ok', personal: {} },
  };
  const around = { ...context, appId: ofApp };
  const request = { kind: 'RequestPayment', charge, now } as const;
  await commands.execute(paymentAggregate, paymentId, request, around);
  const method = { paymentMethodSubType: 'visa', issuerBank: 'Bank' };
  const capture = { kind: 'CapturePayment', method, now } as const;
  await commands.execute(paymentAggregate, paymentId, capture, around);
}

beforeEach(async () => {
  store = new MemoryEventStore();
  const { personalData, subscribe } = planUnder(LOST);
  event = await subscribe(await personalData.seal(context, 'player-1', {}));
});

describe('the messages of an event', () => {
  it('are closed, and open to what the receiver gets', async () => {
    const { planner, open } = planUnder(LOST);
    const [message] = await planner.plan(event);
    expect(message).toMatchObject({ type: 'subscription.created', player, sequence: 1 });
    expect(JSON.stringify(message)).not.toContain('player-1');
    expect(await open(message!)).toContain('"external_account_id":"player-1"');
  });

  it('wait for their master key, and for it alone: what follows from the event beside does not', async () => {
    const without = planUnder(OTHER);
    const [message] = await without.planner.plan(event);
    expect(message).toMatchObject({ type: 'subscription.created', sequence: 1 });
    await expect(message!.open()).rejects.toThrow('another MASTER_KEY');
    const [before] = await planUnder(LOST).planner.plan(event);
    expect(message!.id).toBe(before!.id);
    expect(await planUnder(OTHER, LOST).open(message!, false)).toContain('"player-1"');
  });

  it('show one app nothing of the player of another: that message alone is not opened', async () => {
    const { planner, open } = planUnder(LOST);
    const ofOther = { ...event, metadata: { ...event.metadata, appId: 'app_2' } };
    const [message] = await planner.plan(ofOther);
    expect(message).toMatchObject({ type: 'subscription.created', sequence: 1 });
    await expect(message!.open()).rejects.toThrow('of another app');
    const [own] = await planner.plan(event);
    expect(await open(own!)).toContain('"player-1"');
  });

  it('show nothing of a noted payment that is of another app', async () => {
    const { commands, planner } = planUnder(LOST);
    const notedBy = async (paymentId: string, ofApp: string) => {
      await pay(commands, paymentId, ofApp);
      const initialPayment = { paymentId, paymentRevision: 1 };
      const subscription = { ...terms, subscriptionId: `sub-${paymentId}` };
      const command = { kind: 'CreateSubscription', terms: subscription, initialPayment } as const;
      const { subscriptionId: id } = subscription;
      await commands.execute(subscriptionAggregate, id, { ...command, now }, context);
      return planner.plan(store.events(`subscription-${id}`)[0]!);
    };
    const opened = async (messages: OutgoingMessage[]) =>
      Promise.all(
        messages.map(async ({ type, open: openOne }) => {
          const body = await openOne().catch(() => undefined);
          return [type, body !== undefined];
        }),
      );
    expect(await opened(await notedBy('pay_1', appId))).toEqual([
      ['payment.succeeded', true],
      ['subscription.created', true],
    ]);
    expect(await opened(await notedBy('pay_2', 'app_2'))).toEqual([
      ['payment.succeeded', false],
      ['subscription.created', false],
    ]);
  });
});

describe('a message of before the erasure of its player', () => {
  let worker: ReturnType<typeof planUnder>;
  beforeEach(() => {
    worker = planUnder(LOST);
  });

  const seal = () => worker.personalData.seal(context, 'player-1', {});

  /** As `players erase` leaves the player's stream. */
  async function erase(): Promise<void> {
    const command = { kind: 'ErasePlayer', now } as const;
    await worker.commands.execute(playerAggregate, player, command, context);
    const stream = `player-${player}`;
    store.truncate(stream, await store.headRevision(stream));
  }

  async function cancel(): Promise<RecordedEvent> {
    const command = { kind: 'CancelSubscription', cancelAtPeriodEnd: true, now } as const;
    await worker.commands.execute(subscriptionAggregate, subscriptionId, command, context);
    return store.events(`subscription-${subscriptionId}`).at(-1)!;
  }

  /** The bodies of the messages of an event that is planned now. */
  async function openAnew(event: RecordedEvent) {
    const messages = await worker.planner.plan(event);
    return Promise.all(messages.map((message) => worker.open(message)));
  }

  it('ends unsent though it is planned anew, as after a loss of Redis; later ones are sent', async () => {
    await erase();
    expect(await openAnew(event)).toEqual([undefined]);
    expect(await openAnew(await cancel())).toEqual([
      expect.stringContaining('"external_account_id":"erased"'),
    ]);
  });

  it('ends unsent though the player came back before it is planned anew; later ones are sent', async () => {
    await erase();
    await seal();
    expect(await openAnew(event)).toEqual([undefined]);
    expect(await openAnew(await cancel())).toEqual([
      expect.stringContaining('"external_account_id":"player-1"'),
    ]);
  });

  it('ends unsent where it waits in memory, and where its player came back meanwhile', async () => {
    const [message] = await worker.planner.plan(event);
    expect(await message!.open()).toContain('"player-1"');
    await erase();
    expect(await message!.open()).toBeUndefined();
    await seal();
    expect(await message!.open()).toBeUndefined();
  });

  it('of after it has the same bytes at each attempt, though its player came back between two', async () => {
    await erase();
    const [message] = await worker.planner.plan(await cancel());
    const first = await message!.open();
    expect(first).toContain('"external_account_id":"erased"');
    await seal();
    expect(await message!.open()).toBe(first);
  });
});
