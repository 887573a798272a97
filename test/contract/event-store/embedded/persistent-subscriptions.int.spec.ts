/** Persistent subscriptions are not here: every call of the client fails at once. */
import { expect, it } from 'vitest';
import {
  persistentSubscriptionToAllSettingsFromDefaults,
  persistentSubscriptionToStreamSettingsFromDefaults,
  type EventStoreDBClient,
  type PersistentSubscriptionToAll,
  type PersistentSubscriptionToStream,
} from '@eventstore/db-client';
import { status, type ServiceError } from '@grpc/grpc-js';
import { collect, useSubject, failureStatus } from '../subject.js';

const subject = useSubject();

const TO_STREAM = persistentSubscriptionToStreamSettingsFromDefaults();
const TO_ALL = persistentSubscriptionToAllSettingsFromDefaults();

type Call = (client: EventStoreDBClient) => Promise<unknown>;

it.each<[name: string, call: Call]>([
  ['createToStream', (client) => client.createPersistentSubscriptionToStream('s', 'g', TO_STREAM)],
  ['createToAll', (client) => client.createPersistentSubscriptionToAll('g', TO_ALL)],
  ['updateToStream', (client) => client.updatePersistentSubscriptionToStream('s', 'g', TO_STREAM)],
  ['updateToAll', (client) => client.updatePersistentSubscriptionToAll('g', TO_ALL)],
  ['deleteToStream', (client) => client.deletePersistentSubscriptionToStream('s', 'g')],
  ['deleteToAll', (client) => client.deletePersistentSubscriptionToAll('g')],
  ['getInfoToStream', (client) => client.getPersistentSubscriptionToStreamInfo('s', 'g')],
  ['getInfoToAll', (client) => client.getPersistentSubscriptionToAllInfo('g')],
  ['listAll', (client) => client.listAllPersistentSubscriptions()],
  ['listToStream', (client) => client.listPersistentSubscriptionsToStream('s')],
  ['listToAll', (client) => client.listPersistentSubscriptionsToAll()],
  ['replayToStream', (client) => client.replayParkedMessagesToStream('s', 'g')],
  ['replayToAll', (client) => client.replayParkedMessagesToAll('g')],
  ['restartSubsystem', (client) => client.restartPersistentSubscriptionSubsystem()],
  [
    'subscribeToStream',
    (client) => first(client.subscribeToPersistentSubscriptionToStream('s', 'g')),
  ],
  ['subscribeToAll', (client) => first(client.subscribeToPersistentSubscriptionToAll('g'))],
])('%s is UNIMPLEMENTED, with a sentence', async (_name, call) => {
  const error = await failureStatus(call(subject.client));
  expect(error.code).toBe(status.UNIMPLEMENTED);
  expect(error.message).toContain('has no persistent subscriptions');
});

/** The error of a subscription: its reader's, or its stream's when it is destroyed. */
async function first(
  subscription: PersistentSubscriptionToStream | PersistentSubscriptionToAll,
): Promise<unknown> {
  const failed = new Promise<ServiceError>((_, reject) => subscription.once('error', reject));
  return Promise.race([failed, collect(subscription)]);
}

it('the connection goes on', async () => {
  const { success } = await subject.client.appendToStream('after-1', []);
  expect(success).toBe(true);
});
