import type { LostDisputePolicy } from '../app/index.js';
import type { CheckoutLinkEvent } from '../checkout-link/index.js';
import type { Aggregate, AnyRejection } from '../decider/index.js';
import type { DunningPolicy } from '../dunning/index.js';
import type { DomainEvent, RecordedEvent } from '../event/index.js';
import type { OrderEvent } from '../order/index.js';
import type { PaymentEvent } from '../payment/index.js';
import type { PlayerPlansEvent } from '../player-plans/index.js';
import type { TaxRates } from '../pricing/index.js';
import type { SubscriptionEvent } from '../subscription/index.js';
import type { ProcessStep } from './steps.js';

/** The needs of a row beside the event and its own stream: each is loaded for the event's app. */
export interface ProcessNeeds {
  readonly dunning: DunningPolicy;
  readonly onLostDispute: LostDisputePolicy;
  readonly taxRates: TaxRates;
}
export type ProcessNeed = keyof ProcessNeeds;

type RoutedEvent =
  CheckoutLinkEvent | OrderEvent | PaymentEvent | PlayerPlansEvent | SubscriptionEvent;
type EventOf<Type extends RoutedEvent['type']> = Extract<RoutedEvent, { type: Type }>;
type Begun<State> = Exclude<State, { readonly status: 'none' }>;

/** The arguments of a row's function: those that its row names, and nothing else. */
type ProcessInput<Event extends DomainEvent, State, Need extends ProcessNeed> = {
  readonly data: Event['data'];
  readonly state: State;
  /** Of the event in its stream, for those who note it. */
  readonly revision: number;
} & Pick<ProcessNeeds, Need>;

interface RouteDefinition<Type extends RoutedEvent['type'], State, Need extends ProcessNeed> {
  /** The stored names of the events that set it going. */
  readonly on: readonly Type[];
  /** The act of the process and its occasion; its commands are signed with it: `process:<name>`. */
  readonly process: string;
  /** The event's own stream, where its state as of the event is needed. */
  readonly stream?: StreamOf<State>;
  readonly needs?: readonly Need[];
  /** Whether the row is for an event that left this state; left out, it is for every one. */
  readonly when?: (state: Begun<State>) => boolean;
  readonly decide: (input: ProcessInput<EventOf<Type>, Begun<State>, Need>) => ProcessStep[];
}

/** The part of an aggregate that tells the type of its state. */
interface StreamOf<State> {
  readonly category: string;
  readonly decider: { readonly initialState: State };
}

/** A row, its types proven by `defineRoutes`: its needs are loaded and given to `decide`. */
export interface ProcessRoute {
  readonly on: RoutedEvent['type'];
  readonly process: string;
  readonly stream: Aggregate<unknown, unknown, DomainEvent, AnyRejection> | null;
  readonly needs: readonly ProcessNeed[];
  readonly when: (state: unknown) => boolean;
  readonly decide: (input: unknown) => ProcessStep[];
}

/** The rows of one process, one for each event; the compiler holds `decide` to the needs that they name. */
export function defineRoutes<
  Type extends RoutedEvent['type'],
  State = null,
  Need extends ProcessNeed = never,
>({ on: types, ...definition }: RouteDefinition<Type, State, Need>): readonly ProcessRoute[] {
  const { process, stream = null, needs = [], when = () => true, decide } = definition;
  const row = { process, stream, needs, when, decide };
  // The state of the named stream and the named needs come back to these rows and to no others.
  return types.map((on) => ({ on, ...row }) as unknown as ProcessRoute);
}

/** The steps of one process after an event. */
export interface ProcessOutput {
  readonly process: string;
  readonly steps: readonly ProcessStep[];
}

/**
 * Runs a row on its loaded needs.
 *
 * @param state of the event's own stream as of the event; null where the row names no stream.
 * @param loaded the app's needs; the row is given only those that it names.
 * @returns undefined where the row is not for this state.
 */
export function runRoute(
  route: ProcessRoute,
  { data, revision }: DomainEvent & Pick<RecordedEvent, 'revision'>,
  state: unknown,
  loaded: Partial<ProcessNeeds>,
): ProcessOutput | undefined {
  if (!route.when(state)) return undefined;
  const needed = Object.fromEntries(route.needs.map((need) => [need, loaded[need]]));
  return {
    process: route.process,
    steps: route.decide({ data, state, revision, ...needed }),
  };
}
