import type { DomainEvent, RecordedEvent } from '#domain/event';
import { type Payment, paymentAggregate } from '#domain/payment';
import { neededStates, renderMessages, type WebhookMessage } from '#webhooks';
import { openStory } from './open-story.js';

/** Any stream whose fold counts messages. */
export interface CountingAggregate {
  readonly category: string;
  readonly decider: {
    readonly initialState: unknown;
    readonly evolve: (state: never, event: never) => unknown;
  };
}

/**
 * The messages of a stream, each from the states that its event names; the fold counts them. @throws Error where both
 * differ.
 */
export function renderStory(
  { category, decider }: CountingAggregate,
  id: string,
  events: readonly DomainEvent[],
  payments: Readonly<Record<string, readonly DomainEvent[]>>,
): WebhookMessage[] {
  const states = foldAll(decider, events);
  return events.flatMap((event, revision) => {
    const recordedEvent = recorded(event, `${category}-${id}`, revision);
    const noted = neededStates(recordedEvent)?.payment ?? null;
    // The states of a payment's stream are payments.
    const payment =
      noted === null
        ? null
        : (foldAll(paymentAggregate.decider, payments[noted.paymentId] ?? [])[
            noted.paymentRevision
          ] as Payment);
    const state = states[revision];
    const messages = renderMessages(recordedEvent, { state, payment, open: openStory });
    const before = revision === 0 ? 0 : readCount(states[revision - 1]);
    const [sent, counted] = [messages.length, readCount(state) - before];
    if (sent !== counted) {
      throw new Error(
        `${event.type}: the catalogue has ${sent} messages, its stream counts ${counted}`,
      );
    }
    return messages;
  });
}

/** The messages of a stream whose beginning may be gone. */
export function renderShortLived(
  streamName: string,
  events: readonly DomainEvent[],
): WebhookMessage[] {
  return events.flatMap((event, revision) =>
    renderMessages(recorded(event, streamName, revision), {
      ...{ state: null, payment: null, open: openStory },
    }),
  );
}

function readCount(state: unknown): number {
  return (state as { messageCount: number }).messageCount;
}

function foldAll(
  { initialState, evolve }: CountingAggregate['decider'],
  events: readonly DomainEvent[],
) {
  let state: unknown = initialState;
  // A story's events are those of the aggregate that it was played through.
  return events.map((event) => (state = evolve(state as never, event as never)));
}

function recorded(event: DomainEvent, streamName: string, revision: number): RecordedEvent {
  const metadata = {
    ...{ $correlationId: 'request-1', actor: 'app', appId: 'app_01gold' },
    ...{ environment: 'test' as const, occurredAt: '2027-01-31T10:00:00.000Z' },
  };
  const id = `${streamName}/${revision}`;
  return { ...event, id, streamName, revision, position: '0'.repeat(20), metadata };
}
