import { type CausingEvent, findCauses } from '#causes';
import { categoryOf, idOf, type RecordedEvent } from '#domain/event';
import { paymentAggregate } from '#domain/payment';
import { proveEvents } from '#seal-audit';
import type { FoundCheckpoint } from '#sealing';
import type { FinanceApp } from '../finance-app.js';

/** An event with everything that led to it, and its proof. */
export interface ExplainedEvent {
  readonly id: string;
  readonly type: string;
  readonly stream: string;
  readonly revision: number;
  readonly occurredAt: string;
  readonly actor: string;
  /** The key of the command; null where it had none. */
  readonly commandId: string | null;
  /** The request with which the way began. */
  readonly correlationId: string;
  /** The nearest one first. */
  readonly causes: readonly CausingEvent[];
  /** The id of the event at which the way is lost; null where it is whole. */
  readonly lostAt: string | null;
  /** Null where the checkpoint does not attest the event as it is stored. */
  readonly proof: { readonly leaf: number; readonly text: string } | null;
}

/** Events of a stream that are read at a time for the one that is wanted. */
const EVENTS_READ = 500;

/** @returns undefined where the stream has no such event: it was erased. @throws Fault of the store. */
export async function explainEvent(
  app: FinanceApp,
  { eventId, stream }: { readonly eventId: string; readonly stream: string },
  upTo: FoundCheckpoint,
): Promise<ExplainedEvent | undefined> {
  const event = await findEvent(app, stream, eventId);
  if (event === undefined) return undefined;
  const { type, revision, metadata } = event;
  const { occurredAt, actor, commandId = null, $correlationId: correlationId } = metadata;
  const { causes, lostAt = null } = await findCauses(app.store, event, await loadState(app, event));
  return {
    ...{ id: eventId, type, stream, revision, occurredAt, actor, commandId, correlationId },
    ...{ causes, lostAt, proof: await prove(app, event, upTo) },
  };
}

async function findEvent({ store }: FinanceApp, stream: string, eventId: string) {
  for (let fromRevision = 0; ;) {
    let count = 0;
    for await (const event of store.readStream(stream, { fromRevision, maxCount: EVENTS_READ })) {
      if (event.id === eventId) return event;
      count += 1;
      fromRevision = event.revision + 1;
    }
    if (count < EVENTS_READ) return undefined;
  }
}

/** The state of a payment names the streams of its subscription or order, in which its causes may be. */
async function loadState({ commands }: FinanceApp, { streamName, data }: RecordedEvent) {
  if (categoryOf(streamName) !== paymentAggregate.category) return data;
  return (await commands.load(paymentAggregate, idOf(streamName))).state;
}

async function prove({ store }: FinanceApp, event: RecordedEvent, upTo: FoundCheckpoint) {
  const stored = await store.verbatim.readStream(store.names.toStored(event.streamName), {
    ...{ fromRevision: event.revision, maxCount: 1 },
  });
  for await (const { proved } of proveEvents(store, upTo, stored)) return proved ?? null;
  return null;
}
