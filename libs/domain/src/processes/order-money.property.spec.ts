import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { addMilliseconds } from '../calendar/index.js';
import type { DomainEvent, RecordedEvent } from '../event/index.js';
import { type CreatedOrder, orderAggregate, type OrderCommand } from '../order/index.js';
import { attempt, cancel, created, T1 } from '../order/spec-support/orders.js';
import {
  paymentAggregate,
  type PaymentCommand,
  type RequestedPayment,
  sumLines,
} from '../payment/index.js';
import { runRoute } from './process-route.js';
import { routesFor } from './routes.js';
import type { ProcessStep } from './steps.js';

const method = { paymentMethodSubType: '', issuerBank: '' };
const decline = { reason: 'unknown', declineClass: 'unknown', rawDeclineCode: '' } as const;

/** An order with its payments; the product's own rows decide the next steps. */
class OrderWorld {
  readonly #streams = new Map<string, { state: unknown; revision: number }>();
  readonly paymentIds: string[] = [];
  now = T1;

  constructor() {
    this.order({ kind: 'CreateOrder', order: created().data });
  }

  order(command: OrderCommand): void {
    this.#run('order', orderAggregate.decider, 'ord_1', command);
  }

  payment(paymentId: string, command: PaymentCommand): void {
    this.#run('payment', paymentAggregate.decider, paymentId, command);
  }

  /** Every stream of these two kinds has a state of its kind. */
  get ordered(): CreatedOrder {
    return this.#streams.get('order-ord_1')?.state as CreatedOrder;
  }

  paid(paymentId: string): RequestedPayment {
    return this.#streams.get(`payment-${paymentId}`)?.state as RequestedPayment;
  }

  #run<State, Command, Event extends DomainEvent>(
    category: string,
    decider: {
      readonly initialState: State;
      evolve(state: State, event: Event): State;
      decide(
        command: Command,
        state: State,
      ): { readonly accepted: boolean; readonly events?: readonly Event[] };
    },
    id: string,
    command: Command,
  ): void {
    const streamName = `${category}-${id}`;
    const before = this.#streams.get(streamName);
    const known = (before?.state ?? decider.initialState) as State;
    const decision = decider.decide(command, known);
    let [state, revision] = [known, before?.revision ?? -1];
    for (const event of decision.events ?? []) {
      state = decider.evolve(state, event);
      revision += 1;
      this.#streams.set(streamName, { state, revision });
      // Of a recorded event, rows look at no more than this.
      this.#follow({ ...event, streamName, revision } as unknown as RecordedEvent, state);
      // The steps since may have changed it.
      ({ state, revision } = this.#streams.get(streamName) as { state: State; revision: number });
    }
  }

  #follow(event: RecordedEvent, state: unknown): void {
    for (const route of routesFor(event.type)) {
      for (const step of runRoute(route, event, route.stream && state, {})?.steps ?? []) {
        this.#do(step);
      }
    }
  }

  #do(step: ProcessStep): void {
    const { now } = this;
    if (step.kind === 'charge') {
      this.paymentIds.push(step.charge.paymentId);
      this.payment(step.charge.paymentId, { kind: 'RequestPayment', charge: step.charge, now });
    } else if (step.kind === 'refund') {
      this.payment(step.paymentId, { kind: 'ConfirmRefund', refundId: step.refundId, now });
    } else if (step.kind === 'order') this.order(step.command);
    else if (step.kind === 'payment') this.payment(step.id, step.command);
  }
}

type Act = (world: OrderWorld, paymentId: string) => void;

/** The possible acts, in any order; the payment is one of those that there are. */
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.constantFrom('pm_ok', 'pm_other').map((card): Act => (world) => {
    world.order(attempt(world.now, card));
  }),
  fc.constant<Act>((world, id) => {
    world.payment(id, { kind: 'CapturePayment', method, now: world.now });
  }),
  fc.constant<Act>((world, id) => {
    world.payment(id, { kind: 'DeclinePayment', decline, method, now: world.now });
  }),
  fc.constant<Act>((world, id) => {
    const { now } = world;
    world.payment(id, { kind: 'GiveUpPayment', now, wallNow: now });
  }),
  fc
    .tuple(fc.uuid(), fc.integer({ min: 1, max: 999 }))
    .map(([refundId, cents]): Act => (world, id) => {
      const amountMinor = String(cents);
      world.payment(id, { kind: 'RequestRefund', refundId, amountMinor, now: world.now });
    }),
  fc
    .tuple(fc.constantFrom('d1', 'd2'), fc.integer({ min: 1, max: 999 }))
    .map(([disputeId, cents]): Act => (world, id) => {
      const amount = { amountMinor: String(cents), currency: 'USD' };
      world.payment(id, { kind: 'OpenDispute', disputeId, amount, now: world.now });
    }),
  fc
    .tuple(fc.constantFrom('d1', 'd2'), fc.boolean())
    .map(([disputeId, won]): Act => (world, id) => {
      closeDispute(world, id, disputeId, won);
    }),
  fc.constant<Act>((world) => world.order(cancel(world.now))),
  fc.constant<Act>((world) => world.order({ kind: 'ProcessOrderDueDate', now: world.now })),
);

function closeDispute(world: OrderWorld, id: string, disputeId: string, won: boolean): void {
  const open = world.paid(id).openDisputes.find((each) => each.disputeId === disputeId);
  if (open === undefined) return;
  const { amount } = open;
  world.payment(id, { kind: 'CloseDispute', disputeId, amount, won, now: world.now });
}

const cents = ({ amountMinor }: { readonly amountMinor: string }) => Number(amountMinor);

/** rules/orders 2 and 3 */
describe('the money of an order', () => {
  it('is kept once, said by its lines, and goes back where it buys nothing, whatever happens', () => {
    const acts = fc.array(fc.tuple(act, fc.nat(9), fc.nat(40_000)), { maxLength: 40 });
    fc.assert(
      fc.property(acts, (all) => {
        const world = new OrderWorld();
        for (const [perform, which, laterMs] of all) {
          world.now = addMilliseconds(world.now, laterMs);
          const { paymentIds } = world;
          const [id = ''] = paymentIds.length === 0 ? [] : [paymentIds[which % paymentIds.length]];
          if (id === '') world.order(attempt(world.now));
          else perform(world, id);
        }
        for (const id of world.paymentIds) {
          for (const { disputeId } of [...world.paid(id).openDisputes]) {
            closeDispute(world, id, disputeId, true);
          }
        }
        const { paidBy, attempts, totalRefunded } = world.ordered;
        for (const id of world.paymentIds) {
          const { amount, lines, capturedAt, totalRefunded: returned } = world.paid(id);
          const quoted = attempts.find(({ paymentId }) => paymentId === id)?.quote.amount;
          expect([sumLines(lines), amount]).toEqual([amount, quoted]);
          const isKept = id === paidBy;
          if (isKept) expect(totalRefunded).toEqual(returned);
          if (capturedAt === null) expect(cents(returned)).toBe(0);
          else if (isKept) expect(cents(returned)).toBeLessThanOrEqual(cents(amount));
          else expect([id, cents(returned)]).toEqual([id, cents(amount)]);
        }
        expect(world.paymentIds.filter((id) => id === paidBy)).toHaveLength(
          paidBy === null ? 0 : 1,
        );
      }),
      { numRuns: 300 },
    );
  });
});
