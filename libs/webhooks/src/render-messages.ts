import type { Aggregate, AnyRejection } from '#domain/decider';
import { type DomainEvent, idOf, type RecordedEvent } from '#domain/event';
import type { NotedPayment, Payment } from '#domain/payment';
import type { PersonalOwner } from '#domain/personal-data';
import { assertDefect, deriveUuid } from '#platform';
import { rowsFor } from './catalogue.js';
import type { RowInput, SubjectState, WebhookRow } from './webhook-row.js';

/** One message to merchants; every endpoint and every attempt gets the same bytes (rules/webhooks 4). */
export interface WebhookMessage {
  /** `webhook-id`: stable for the message, to all its attempts and resends. */
  readonly id: string;
  readonly type: string;
  /** Messages of one subject are delivered in order (rules/webhooks 5). */
  readonly subject: string;
  /** `service-event-sequence`: 1, 2, 3 ... over the messages of the subject. */
  readonly sequence: number;
  /** The body: `type` and the fields of its family beside it, compact JSON. */
  readonly body: string;
}

/** Which states the messages of an event are rendered from. */
export interface NeededStates {
  /** The event's own stream, wanted as of the event; null where none is needed. */
  readonly stream: Aggregate<unknown, unknown, DomainEvent, AnyRejection> | null;
  /** A payment, wanted as of the noted event; null where none is needed. */
  readonly payment: NotedPayment | null;
}

/** The states that `NeededStates` names. */
export interface LoadedStates {
  readonly state: unknown;
  readonly payment: Payment | null;
  /** Opens the texts about the player, whose stream it knows. */
  readonly open: RowInput['open'];
}

/** The states that the messages of an event need; undefined for an event that is not sent. */
export function neededStates(
  { type, data }: DomainEvent,
  rows: readonly WebhookRow[] = rowsFor(type),
): NeededStates | undefined {
  const [first] = rows;
  if (first === undefined) return undefined;
  const noted = rows.map(({ notes }) => notes?.(data) ?? null);
  return { stream: first.stream, payment: noted.find((payment) => payment !== null) ?? null };
}

/** A message whose body is made when it is wanted. */
export interface PlannedMessage extends Omit<WebhookMessage, 'body'> {
  /** Its body; the same bytes each time, for the same look at the player. */
  readonly render: (loaded: Omit<LoadedStates, 'state'>) => string;
}

/**
 * The messages of an event, in their order, without their bodies; none for an event that is not sent.
 *
 * @param state of the event's own stream, folded up to and including the event, so that the data is the
 *   subject as it stood then, and the number that of then.
 */
export function planMessages(
  event: RecordedEvent,
  state: unknown,
  rows: readonly WebhookRow[] = rowsFor(event.type),
): PlannedMessage[] {
  const sent = rows.filter((row) => applies(row, event, state));
  const before = messagesBefore(event, sent, state);
  return sent.map(({ type, family, render }, index) => ({
    id: messageId(event.id, family, type),
    type,
    subject: idOf(event.streamName),
    sequence: before + index + 1,
    render: ({ payment, open }) => {
      const begun = payment === null || payment.status === 'none' ? null : payment;
      return JSON.stringify({ type, ...render({ event, state, payment: begun, open }) });
    },
  }));
}

/**
 * The messages of an event, in their order; none for an event that is not sent. Each follows from the
 * event and the states that it names, and from nothing else but the player's own stream: it can be made
 * again at any time, until the player is erased.
 *
 * @param loaded its state as that of `planMessages`.
 */
export function renderMessages(
  event: RecordedEvent,
  { state, ...loaded }: LoadedStates,
  rows: readonly WebhookRow[] = rowsFor(event.type),
): WebhookMessage[] {
  return planMessages(event, state, rows).map(({ render, ...message }) => ({
    ...message,
    body: render(loaded),
  }));
}

/**
 * An event's messages by id and type, in their order, without making them.
 *
 * @param state of the event's own stream, folded up to and including the event.
 */
export function listMessages(
  event: Pick<RecordedEvent, 'id' | 'type' | 'data'>,
  state: unknown,
): Pick<WebhookMessage, 'id' | 'type'>[] {
  return rowsFor(event.type)
    .filter((row) => applies(row, event, state))
    .map(({ type, family }) => ({ id: messageId(event.id, family, type), type }));
}

/** Whether a row has a message for this event. A stream that never began has none. */
function applies(
  { stream, notes, when }: WebhookRow,
  { data }: DomainEvent,
  state: unknown,
): boolean {
  if (stream === null) return true;
  // `defineRow` takes no stream whose state is another.
  if (!('messageCount' in (state as SubjectState))) return false;
  return when(state, data) && (notes === null || notes(data) !== null);
}

/** How many messages the subject had before this event. */
function messagesBefore(
  { revision, streamName }: RecordedEvent,
  sent: readonly WebhookRow[],
  state: unknown,
): number {
  const [first] = sent;
  if (first === undefined) return 0;
  if (first.stream !== null) return countMessages(state as SubjectState) - sent.length;
  assertDefect(sent.length === 1, `${streamName} is numbered by revision: one message an event`);
  return revision;
}

function countMessages(state: SubjectState): number {
  return 'messageCount' in state ? state.messageCount : 0;
}

/** The id of a message: a UUID (version 5) over the event's own id, the family and the type. */
function messageId(eventId: string, family: string, type: string): string {
  return `msg_${deriveUuid(`${eventId} ${family} ${type}`)}`;
}

/**
 * Those whom the messages of an event are about: one player, unless the event leads to a purchase of another one.
 * None where it gives no message. Where no state names an owner, as of a cart, the metadata of the event do.
 */
export function listOwners(
  event: RecordedEvent,
  { state, payment }: Pick<LoadedStates, 'state' | 'payment'>,
): readonly PersonalOwner[] {
  const owners = [state, payment].filter(isOwner);
  if (owners.length > 0) return owners;
  const { appId, player } = event.metadata;
  if (player === undefined || listMessages(event, state).length === 0) return [];
  return [{ appId, player, personal: {} }];
}

/** Subscriptions and payments that began have an owner; the states of other streams have none. */
function isOwner(state: unknown): state is PersonalOwner {
  return typeof state === 'object' && state !== null && 'personal' in state;
}
