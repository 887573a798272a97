import { checkoutLinkAggregate } from '#domain/checkout-link';
import type { LostDisputePolicy } from '#domain/app';
import { DEFAULT_DUNNING } from '#domain/dunning';
import type { Aggregate, AnyRejection } from '#domain/decider';
import { categoryOf, type DomainEvent, idOf, type RecordedEvent } from '#domain/event';
import type { Money } from '#domain/money';
import { orderAggregate, orderDueAt, openAttempts, orderAttemptEndsAt } from '#domain/order';
import {
  type ChargeRequest,
  findReference,
  isOffSession,
  type Payment,
  paymentAggregate,
} from '#domain/payment';
import { playerPlansAggregate } from '#domain/player-plans';
import { noTaxRates } from '#domain/pricing';
import { loyaltyAggregate } from '#domain/loyalty';
import { type ProcessStep, routesFor, runRoute } from '#domain/processes';
import { awaitedCharge, nextDueAt, subscriptionAggregate } from '#domain/subscription';
import { neededStates, renderMessages, type WebhookMessage } from '#webhooks';
import { sandboxAccountAggregate } from '../../../libs/gateway/src/sandbox-account.js';
import { openStory } from './open-story.js';

/** Streams of one category, as far as their state goes. */
interface StreamsOf<State> {
  readonly category: string;
  readonly decider: { readonly initialState: State };
}

/**
 * The pure parts put together, without store, queue and clock: deciders, processes, the sandbox's books and the
 * catalogue of webhooks. The whole system has to send its messages, in their order.
 */
export class World {
  /** Every stream's states, by revision. */
  readonly #states = new Map<string, unknown[]>();
  readonly #pending: ChargeRequest[] = [];
  /** The webhooks so far. */
  readonly sent: WebhookMessage[] = [];
  now: string;
  /** The app's policy for subscriptions whose disputes are lost. */
  onLostDispute: LostDisputePolicy = 'keep';
  /** Which payment is disputed; null where the next one that is captured will be, at that moment. */
  #disputed: string | null | undefined;
  #disputesNextRefund = false;
  /** The commands that streams remember. */
  readonly #done = new Set<string>();

  constructor(now: string) {
    this.now = now;
  }

  foldedState<State>(aggregate: StreamsOf<State>, id: string): State {
    // A stream's name begins with its aggregate's category, so the state is that aggregate's.
    const states = this.#states.get(`${aggregate.category}-${id}`) as State[] | undefined;
    return states?.at(-1) ?? aggregate.decider.initialState;
  }

  /** Runs a command and all that follows from it; gives the code of a rejection. */
  run<State, Command, Event extends DomainEvent, Rejection extends AnyRejection>(
    aggregate: Aggregate<State, Command, Event, Rejection>,
    id: string,
    command: Command,
  ): Rejection['code'] | undefined {
    const streamName = `${aggregate.category}-${id}`;
    let state = this.foldedState<State>(aggregate, id);
    const decision = aggregate.decider.decide(command, state);
    if (!decision.accepted) return decision.rejection.code;
    const states = this.#states.get(streamName) ?? [];
    this.#states.set(streamName, states);
    const after = decision.events.map((event) => {
      state = aggregate.decider.evolve(state, event);
      const revision = states.push(state) - 1;
      return { event: recorded(event, streamName, revision), state };
    });
    for (const { event, state: then } of after) this.#send(event, then);
    for (const { event, state: then } of after) {
      if (event.type === 'payment.captured.v1' && this.#disputed === null) {
        this.#disputed = id;
        this.#dispute(id, { kind: 'OpenDispute' });
      }
      this.#follow(event, then);
    }
    return undefined;
  }

  /** Lets time go on: everything that becomes due happens at its own due time. */
  advance(subscriptionId: string, to: string): void {
    for (;;) {
      const state = this.foldedState(subscriptionAggregate, subscriptionId);
      const dueAt = nextDueAt(state);
      if (dueAt === null || dueAt > to) break;
      if (dueAt > this.now) this.now = dueAt;
      const dunning = DEFAULT_DUNNING;
      const command = { kind: 'ProcessDueDate', dunning, now: this.now } as const;
      this.run(subscriptionAggregate, subscriptionId, command);
      this.#giveUpAtBound(subscriptionId);
    }
    this.now = to;
  }

  /** The same of an order. */
  advanceOrder(orderId: string, to: string): void {
    for (;;) {
      const dueAt = orderDueAt(this.foldedState(orderAggregate, orderId));
      if (dueAt === null || dueAt > to) break;
      if (dueAt > this.now) this.now = dueAt;
      this.run(orderAggregate, orderId, { kind: 'ProcessOrderDueDate', now: this.now });
      const after = this.foldedState(orderAggregate, orderId);
      const open = after.status === 'none' ? [] : openAttempts(after);
      for (const attempt of open) {
        if (orderAttemptEndsAt(attempt) <= this.now) this.#giveUp(attempt.paymentId);
      }
    }
    this.now = to;
  }

  /** A pending payment at the gateway has had all its time. It may be captured there all the same. */
  giveUpPending(): void {
    for (const { paymentId } of this.#pending) this.#giveUp(paymentId);
  }

  /** The gateway's later notice on everything that is pending there. */
  settlePending(): void {
    for (const charge of this.#pending.splice(0)) this.#charge(charge, '9999-01-01T00:00:00.000Z');
  }

  /** The next payment that is captured is disputed before anything else becomes of it. */
  disputeNextCapture(): void {
    this.#disputed = null;
  }

  /** The gateway refuses the next refund for a dispute, of which it tells only then. */
  disputeNextRefund(): void {
    this.#disputesNextRefund = true;
  }

  closeDispute(won: boolean): void {
    this.#dispute(this.#disputed ?? '', { kind: 'CloseDispute', won });
  }

  /** An operator's refund of the payment that was asked for last, of those that can be refunded. */
  refundLast(refundId: string, amount: Money): void {
    for (const streamName of [...this.#states.keys()].reverse()) {
      if (categoryOf(streamName) !== paymentAggregate.category) continue;
      const { amountMinor } = amount;
      const command = { kind: 'RequestRefund', refundId, amountMinor, now: this.now } as const;
      const rejection = this.run(paymentAggregate, idOf(streamName), command);
      if (rejection === undefined) return;
    }
  }

  #dispute(
    paymentId: string,
    what:
      { readonly kind: 'OpenDispute' } | { readonly kind: 'CloseDispute'; readonly won: boolean },
  ): void {
    const { amount } = present(this.foldedState(paymentAggregate, paymentId));
    const dispute = { disputeId: `dsp_${paymentId}`, amount, now: this.now };
    this.run(paymentAggregate, paymentId, { ...what, ...dispute });
  }

  #giveUpAtBound(subscriptionId: string): void {
    const state = this.foldedState(subscriptionAggregate, subscriptionId);
    const charge = state.status === 'none' ? null : awaitedCharge(state);
    if (charge !== null && charge.givenUpAt <= this.now) this.#giveUp(charge.paymentId);
  }

  #giveUp(paymentId: string): void {
    const { now } = this;
    this.run(paymentAggregate, paymentId, { kind: 'GiveUpPayment', now, wallNow: now });
  }

  #send(event: RecordedEvent, state: unknown): void {
    const noted = neededStates(event)?.payment ?? null;
    const payments = this.#states.get(`${paymentAggregate.category}-${noted?.paymentId ?? ''}`);
    // Only payments are in streams of payments.
    const payment = (payments?.[noted?.paymentRevision ?? -1] ?? null) as Payment | null;
    this.sent.push(...renderMessages(event, { state, payment, open: openStory }));
  }

  /** Runs the product's own rows: the states that they need are here at hand. */
  #follow(event: RecordedEvent, state: unknown): void {
    const { onLostDispute } = this;
    const needs = { dunning: DEFAULT_DUNNING, taxRates: noTaxRates, onLostDispute };
    for (const route of routesFor(event.type)) {
      const output = runRoute(route, event, route.stream && state, needs);
      for (const step of output?.steps ?? []) this.#do(step);
    }
  }

  #do(step: ProcessStep): void {
    if (this.#isRepeated(step)) return;
    if (step.kind === 'charge') this.#charge(step.charge, this.now);
    else if (step.kind === 'refund') this.#refund(step.paymentId, step.refundId);
    else if (step.kind === 'subscription') this.run(subscriptionAggregate, step.id, step.command);
    else if (step.kind === 'payment') this.run(paymentAggregate, step.id, step.command);
    else if (step.kind === 'loyalty') this.run(loyaltyAggregate, step.id, step.command);
    else if (step.kind === 'player_plans') this.run(playerPlansAggregate, step.id, step.command);
    else if (step.kind === 'order') this.run(orderAggregate, step.id, step.command);
    else this.run(checkoutLinkAggregate, step.id, step.command);
  }

  /** Whether the stream has done a command with this id before. */
  #isRepeated(step: ProcessStep): boolean {
    if (!('commandId' in step)) return false;
    const command = `${step.kind}-${step.id} ${step.commandId}`;
    if (this.#done.has(command)) return true;
    this.#done.add(command);
    return false;
  }

  #charge(charge: ChargeRequest, gatewayNow: string): void {
    const { paymentId, purpose, paymentMethod, amount } = charge;
    const reference = findReference(purpose);
    const { now } = this;
    this.run(paymentAggregate, paymentId, { kind: 'RequestPayment', charge, now });
    this.run(sandboxAccountAggregate, reference, {
      kind: 'Charge',
      key: paymentId,
      paymentMethod,
      amount,
      offSession: isOffSession(purpose),
      now: gatewayNow,
    });
    const books = this.foldedState(sandboxAccountAggregate, reference);
    const { outcome } = books.charges[paymentId]!;
    const method = { paymentMethodSubType: 'sandbox', issuerBank: 'Sandbox Bank' };
    if (outcome === 'pending') {
      this.#pending.push(charge);
      this.run(paymentAggregate, paymentId, { kind: 'LeavePaymentPending', now });
    } else if (outcome === 'captured')
      this.run(paymentAggregate, paymentId, { kind: 'CapturePayment', method, now });
    else
      this.run(paymentAggregate, paymentId, {
        kind: 'DeclinePayment',
        decline: outcome,
        method,
        now,
      });
  }

  #refund(paymentId: string, refundId: string): void {
    const isRefused = this.#disputesNextRefund;
    this.#disputesNextRefund = false;
    const kind = isRefused ? 'FailRefund' : 'ConfirmRefund';
    this.run(paymentAggregate, paymentId, { kind, refundId, now: this.now });
    if (!isRefused) return;
    this.#disputed = paymentId;
    this.#dispute(paymentId, { kind: 'OpenDispute' });
  }
}

export function present<State extends { readonly status: string }>(
  state: State,
): Exclude<State, { readonly status: 'none' }> {
  if (state.status === 'none') throw new Error('the story makes nothing of it');
  // A state that is not absent is there.
  return state as Exclude<State, { readonly status: 'none' }>;
}

function recorded(event: DomainEvent, streamName: string, revision: number): RecordedEvent {
  const metadata = {
    $correlationId: 'request-1',
    actor: 'app',
    appId: 'app_1',
    environment: 'test',
    occurredAt: '2027-01-31T10:00:00.000Z',
  } as const;
  const id = `${streamName}/${revision}`;
  return { ...event, id, streamName, revision, position: '', metadata };
}
