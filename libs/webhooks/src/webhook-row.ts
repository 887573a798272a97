import type { Aggregate, AnyRejection } from '#domain/decider';
import type { DomainEvent, RecordedEvent } from '#domain/event';
import type { NotedPayment, RequestedPayment } from '#domain/payment';
import type { OpenedPersonalData, PersonalOwner } from '#domain/personal-data';
import { assertDefect } from '#platform';
import { renderPaymentObject } from '#representations';
import type { Family, WebhookType } from './webhook-types.js';

/** The input of a row. */
export interface RowInput<Data = unknown, State = unknown> {
  readonly event: RecordedEvent<string, Data>;
  /** The event's own stream as of the event; null where the row names none. */
  readonly state: State;
  /** The noted payment as of the noted event; null where the row notes none. */
  readonly payment: RequestedPayment | null;
  /** Opens the texts about the player. */
  readonly open: (owner: PersonalOwner) => OpenedPersonalData;
}

/** A stream whose messages are counted in its fold. */
interface CountedStream<State, Event> {
  readonly category: string;
  readonly decider: {
    readonly initialState: State;
    readonly evolve: (state: State, event: Event) => State;
  };
}

/** The state of a subject: before its first event, or with the count of the messages so far. */
export type SubjectState = { readonly status: 'none' } | { readonly messageCount: number };
type Begun<State> = Exclude<State, { readonly status: 'none' }>;

interface RowDefinition<
  State extends SubjectState,
  Event extends DomainEvent,
  Type extends Event['type'],
  Of extends Family,
> {
  /** The stored name of the event. */
  readonly on: Type;
  readonly family: Of;
  readonly type: WebhookType<Of>;
  /**
   * The event's own stream: it is the subject, and its fold counts the messages. Left out for
   * short-lived streams, of which every event is one message: these are numbered by their revision,
   * since their beginning may be gone.
   */
  readonly stream?: CountedStream<State, Event>;
  /** The payment that the message is about, as the event notes it; null: no message of this row. */
  readonly notes?: (data: Extract<Event, { type: Type }>['data']) => NotedPayment | null;
  /** Whether the event gives rise to this message; left out, every one does. */
  readonly when?: (state: Begun<State>, data: Extract<Event, { type: Type }>['data']) => boolean;
  /** The fields of the body beside `type`, in their order. */
  readonly render: (
    input: RowInput<Extract<Event, { type: Type }>['data'], Begun<State>>,
  ) => Readonly<Record<string, unknown>>;
}

/** A row, its types proven by `defineRow`: the states that it names are loaded and given to `render`. */
export interface WebhookRow {
  readonly on: string;
  readonly family: Family;
  readonly type: string;
  readonly stream: Aggregate<unknown, unknown, DomainEvent, AnyRejection> | null;
  readonly notes: ((data: unknown) => NotedPayment | null) | null;
  readonly when: (state: unknown, data: unknown) => boolean;
  readonly render: (input: RowInput) => Readonly<Record<string, unknown>>;
}

/** One row of the catalogue: one message of an event. A stream whose fold counts none does not compile. */
export function defineRow<
  State extends SubjectState,
  Event extends DomainEvent,
  Type extends Event['type'],
  Of extends Family,
>(definition: RowDefinition<State, Event, Type, Of>): WebhookRow {
  const { on, family, type, stream = null, notes = null, when = () => true, render } = definition;
  // The state of the named stream and the event's own data come back to this row and to no other.
  return { on, family, type, stream, notes, when, render } as unknown as WebhookRow;
}

export type PaymentType = Extract<WebhookType<'v2'>, `payment.${string}` | `dispute.${string}`>;

/** The body of a message about the payment that an event notes. */
export function renderNoted(type: PaymentType) {
  return ({ payment, open }: Pick<RowInput, 'payment' | 'open'>) => {
    assertDefect(payment !== null, `${type} of a payment that is not there`);
    return { data: renderPaymentObject(payment, type, open(payment)) };
  };
}
