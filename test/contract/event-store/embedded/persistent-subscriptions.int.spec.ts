/** Persistent subscriptions are not here: every call of the client fails at once. */
import { expect, it } from 'vitest';
import {
  persistentSubscriptionToStreamSettingsFromDefaults,
  type EventStoreDBClient,
  type PersistentSubscriptionToStream,
} from '@eventstore/db-client';
import { status, type ServiceError } from '@grpc/grpc-js';
import { collect, useSubject, failureStatus } from '../subject.js';

const subject = useSubject();

const TO_STREAM = persistentSubscriptionToStreamSettingsFromDefaults();

type Call = (client: EventStoreDBClient) => Promise<unknown>;

it.each<[name: string, call: Call]>([
  ['createToStream', (client) => client.createPersistentSubscriptionToStream('s', 'g', TO_STREAM)],
  ['updateToStream', (client) => client.updatePersistentSubscriptionToStream('s', 'g', TO_STREAM)],
  ['deleteToStream', (client) => client.deletePersistentSubscriptionToStream('s', 'g')],
  ['getInfoToStream', (client) => client.getPersistentSubscriptionToStreamInfo('s', 'g')],
  ['listAll', (client) => client.listAllPersistentSubscriptions()],
  ['replayToStream', (client) => client.replayParkedMessagesToStream('s', 'g')],
  ['restartSubsystem', (client) => client.restartPersistentSubscriptionSubsystem()],
  [
    'subscribeToStream',
    (client) => first(client.subscribeToPersistentSubscriptionToStream('s', 'g')),
  ],
])('%s is UNIMPLEMENTED, with a sentence', async (_name, call) => {
  const error = await failureStatus(call(subject.client));
  expect(error.code).toBe(status.UNIMPLEMENTED);
  expect(error.message).toContain('has no persistent subscriptions');
});

/** The error of a subscription: its reader's, or its stream's when it is destroyed. */
async function first(subscription: PersistentSubscriptionToStream): Promise<unknown> {
  const failed = new Promise<ServiceError>((_, reject) => subscription.once('error', reject));
  return Promise.race([failed, collect(subscription)]);
}

it('the connection goes on', async () => {
  const { success } = await subject.client.appendToStream('after-1', []);
  expect(success).toBe(true);
});
