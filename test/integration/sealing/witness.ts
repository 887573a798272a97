import { appAggregate } from '#domain/app';
import type { RecordedEvent } from '#domain/event';
import { SEAL_WITNESSES_ID, type SealNoticeRecorded, sealWitnessesAggregate } from '#domain/seal';
import { webhookEndpointAggregate, type WebhookEndpointCommand } from '#domain/webhook-endpoint';
import { createCommandExecutor, type LedgerStore } from '#event-store';
import { SealReader } from '#sealing';
import { contextFor, createApp, createEndpoint, NOW } from '../tenancy/support.js';

interface WitnessOptions {
  readonly appId?: string;
  readonly eventTypes?: readonly string[];
  readonly sealWitness?: boolean;
}

/** An app with an endpoint, as the API makes both. @returns with how many events it is. */
export async function createWitness(store: LedgerStore, options: WitnessOptions = {}) {
  const { appId = 'app_0123456789abcd00', eventTypes = ['ledger.sealed'] } = options;
  const commands = createCommandExecutor(store);
  const context = contextFor(appId);
  await createApp(commands, appId);
  const list = { kind: 'ListSealWitness', appId } as const;
  await commands.execute(sealWitnessesAggregate, SEAL_WITNESSES_ID, list, context);
  const allow = (sealWitness: boolean) =>
    commands.execute(appAggregate, appId, { kind: 'ConfigureApp', sealWitness }, context);
  await allow(options.sealWitness ?? true);
  const { endpointId } = await createEndpoint(commands, appId);
  const act = (command: WebhookEndpointCommand) =>
    commands.execute(webhookEndpointAggregate, endpointId, command, context);
  await act({ kind: 'ChangeWebhookEndpoint', changes: { eventTypes }, now: NOW });
  return { appId, allow, act, events: 6 };
}

/** The notices of an app, in their order. */
export async function readNotices(store: LedgerStore, appId: string) {
  const notices: RecordedEvent<string, SealNoticeRecorded['data']>[] = [];
  for await (const event of store.readStream(`seal_notice-${appId}`)) {
    notices.push(event as RecordedEvent<string, SealNoticeRecorded['data']>);
  }
  return notices;
}

/** Whether the app was notified once of each checkpoint from its first notice on. */
export async function isNotifiedOfAll(store: LedgerStore, appId: string): Promise<boolean> {
  const notified = (await readNotices(store, appId)).map(({ data }) => data.size);
  const sealed: number[] = [];
  for await (const seal of new SealReader(store).list()) {
    if (seal.kind === 'checkpoint') sealed.push(seal.checkpoint.size);
  }
  return notified.length > 0 && notified.join() === sealed.slice(-notified.length).join();
}
