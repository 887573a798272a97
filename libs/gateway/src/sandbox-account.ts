import { addMilliseconds } from '#domain/calendar';
import {
  accept,
  type Aggregate,
  type AnyRejection,
  type Decision,
  reject,
  unknownEvent,
} from '#domain/decider';
import type { DomainEvent, Instant } from '#domain/event';
import { add, isGreater, type Money, subtract, zero } from '#domain/money';
import type { Decline } from '#domain/payment';
import { type ChargeSituation, SANDBOX_METHODS } from './sandbox-methods.js';

/** How long the sandbox leaves a pending charge without an outcome. */
const PENDING_MS = 3000;

/** The sandbox's own books, one stream for each reference: as durable as a real gateway's. */
export type SandboxCharged = DomainEvent<
  'sandbox.charged.v1',
  {
    readonly key: string;
    readonly paymentMethod: string;
    readonly amount: Money;
    readonly offSession: boolean;
    readonly outcome: 'captured' | 'pending' | Decline;
    readonly at: Instant;
  }
>;
type SandboxSettled = DomainEvent<
  'sandbox.settled.v1',
  { readonly key: string; readonly at: Instant }
>;
/** The charge is open until the player has decided at this address, which is the sandbox's own page. */
type SandboxChallenged = DomainEvent<
  'sandbox.challenged.v1',
  { readonly key: string; readonly challengeUrl: string; readonly at: Instant }
>;
type SandboxChallengeDecided = DomainEvent<
  'sandbox.challenge_decided.v1',
  { readonly key: string; readonly outcome: 'captured' | Decline; readonly at: Instant }
>;
type SandboxRefunded = DomainEvent<
  'sandbox.refunded.v1',
  { readonly key: string; readonly chargeKey: string; readonly amount: Money; readonly at: Instant }
>;
type SandboxDisputeOpened = DomainEvent<
  'sandbox.dispute_opened.v1',
  {
    readonly disputeId: string;
    readonly chargeKey: string;
    readonly amount: Money;
    readonly at: Instant;
  }
>;
type SandboxDisputeClosed = DomainEvent<
  'sandbox.dispute_closed.v1',
  { readonly disputeId: string; readonly won: boolean; readonly at: Instant }
>;
export type SandboxEvent =
  | SandboxCharged
  | SandboxSettled
  | SandboxChallenged
  | SandboxChallengeDecided
  | SandboxRefunded
  | SandboxDisputeOpened
  | SandboxDisputeClosed;

/** A charge with its refunds and disputes. */
export type SandboxCharge = SandboxCharged['data'] & {
  readonly settledAt?: Instant;
  /** Set where the bank wanted the player to confirm; stays set. */
  readonly challengeUrl?: string;
};

/** A dispute of a charge; `won`, by the merchant, is null while it is open. */
export type SandboxDispute = SandboxDisputeOpened['data'] & {
  readonly won: boolean | null;
  readonly closedAt?: Instant;
};

/** The charges, refunds and disputes of one reference, by their keys. */
export interface SandboxAccount {
  readonly charges: Readonly<Record<string, SandboxCharge>>;
  readonly refunds: Readonly<Record<string, SandboxRefunded['data']>>;
  readonly disputes: Readonly<Record<string, SandboxDispute>>;
}

export type SandboxCommand =
  | {
      readonly kind: 'Charge';
      readonly key: string;
      readonly paymentMethod: string;
      readonly amount: Money;
      readonly offSession: boolean;
      /** The page to which the player is led back; undefined where there is none. */
      readonly returnUrl?: string | undefined;
      readonly now: Instant;
    }
  | {
      readonly kind: 'Refund';
      readonly key: string;
      readonly chargeKey: string;
      readonly amount: Money;
      readonly now: Instant;
    }
  /** Time has passed: a pending charge has its outcome by now, or has not. */
  | { readonly kind: 'Settle'; readonly key: string; readonly now: Instant };

type ChargeCommand = Extract<SandboxCommand, { kind: 'Charge' }>;
type RefundCommand = Extract<SandboxCommand, { kind: 'Refund' }>;

export interface SandboxRejection extends AnyRejection {
  readonly code: 'sandbox/nothing_to_refund' | 'sandbox/unknown_payment_method';
}

function evolve(state: SandboxAccount, event: SandboxEvent): SandboxAccount {
  switch (event.type) {
    case 'sandbox.charged.v1':
      return { ...state, charges: { ...state.charges, [event.data.key]: event.data } };
    case 'sandbox.settled.v1':
      return changeCharge(state, event, { outcome: 'captured', settledAt: event.data.at });
    case 'sandbox.challenged.v1':
      return changeCharge(state, event, { challengeUrl: event.data.challengeUrl });
    case 'sandbox.challenge_decided.v1': {
      const { outcome, at: settledAt } = event.data;
      return changeCharge(state, event, { outcome, settledAt });
    }
    case 'sandbox.refunded.v1':
      return { ...state, refunds: { ...state.refunds, [event.data.key]: event.data } };
    case 'sandbox.dispute_opened.v1': {
      const opened = { ...event.data, won: null };
      return { ...state, disputes: { ...state.disputes, [opened.disputeId]: opened } };
    }
    case 'sandbox.dispute_closed.v1': {
      const { disputeId, won, at: closedAt } = event.data;
      const dispute = state.disputes[disputeId];
      if (dispute === undefined) return state;
      return {
        ...state,
        disputes: { ...state.disputes, [disputeId]: { ...dispute, won, closedAt } },
      };
    }
    default:
      return unknownEvent(state, event);
  }
}

function changeCharge(
  state: SandboxAccount,
  { data: { key } }: { readonly data: { readonly key: string } },
  change: Partial<SandboxCharge>,
): SandboxAccount {
  const charge = state.charges[key];
  if (charge === undefined) return state;
  return { ...state, charges: { ...state.charges, [key]: { ...charge, ...change } } };
}

function decide(
  command: SandboxCommand,
  state: SandboxAccount,
): Decision<SandboxEvent, SandboxRejection> {
  switch (command.kind) {
    case 'Charge':
      return charge(command, state);
    case 'Settle':
      return settle(command, state);
    case 'Refund':
      return refund(command, state);
  }
}

/** A pending charge is captured when asked for late enough; one that waits for the player is not. */
function settle(
  { key, now }: Extract<SandboxCommand, { kind: 'Settle' | 'Charge' }>,
  { charges }: SandboxAccount,
): Decision<SandboxEvent, SandboxRejection> {
  const known = charges[key];
  const isPending = known?.outcome === 'pending' && known.challengeUrl === undefined;
  const isDue = isPending && now >= addMilliseconds(known.at, PENDING_MS);
  return isDue ? accept({ type: 'sandbox.settled.v1', data: { key, at: now } }) : accept();
}

/** A key that is known has its outcome. */
function charge(
  command: ChargeCommand,
  state: SandboxAccount,
): Decision<SandboxEvent, SandboxRejection> {
  const { key, paymentMethod, amount, offSession, returnUrl, now } = command;
  if (state.charges[key] !== undefined) return settle(command, state);
  const behaviour = SANDBOX_METHODS.get(paymentMethod);
  if (behaviour === undefined) return reject('sandbox/unknown_payment_method', paymentMethod);
  const treatment = behaviour(describeSituation(state, command));
  const outcome = typeof treatment === 'string' ? OUTCOMES[treatment] : treatment;
  const charged = { key, paymentMethod, amount, offSession, outcome, at: now };
  const events: SandboxEvent[] = [{ type: 'sandbox.charged.v1', data: charged }];
  if (treatment === 'challenge') {
    // The sandbox's pages are the storefront's, below that of the checkout.
    const challengeUrl = `${returnUrl}/challenge/${key}`;
    events.push({ type: 'sandbox.challenged.v1', data: { key, challengeUrl, at: now } });
  }
  return accept(...events);
}

const OUTCOMES = { capture: 'captured', pend: 'pending', challenge: 'pending' } as const;

function describeSituation(
  { charges }: SandboxAccount,
  { paymentMethod, offSession, returnUrl }: ChargeCommand,
): ChargeSituation {
  const before = Object.values(charges).filter((one) => one.paymentMethod === paymentMethod);
  const offSessionChargesBefore = before.filter((one) => one.offSession).length;
  const playerCanConfirm = !offSession && returnUrl !== undefined;
  return {
    ...{ offSession, playerCanConfirm },
    ...{ chargesBefore: before.length, offSessionChargesBefore },
  };
}

/** A refund that is known changes nothing; one above the rest of its charge is refused. */
function refund(
  { key, chargeKey, amount, now }: RefundCommand,
  state: SandboxAccount,
): Decision<SandboxEvent, SandboxRejection> {
  if (state.refunds[key] !== undefined) return accept();
  const remaining = findRemaining(state, chargeKey);
  if (remaining?.currency !== amount.currency || isGreater(amount, remaining)) {
    return reject('sandbox/nothing_to_refund', chargeKey);
  }
  return accept({ type: 'sandbox.refunded.v1', data: { key, chargeKey, amount, at: now } });
}

/** The rest of a captured charge after its refunds, and after disputes that are open or lost. */
export function findRemaining(
  { charges, refunds, disputes }: SandboxAccount,
  chargeKey: string,
): Money | undefined {
  const charge = charges[chargeKey];
  if (charge?.outcome !== 'captured') return undefined;
  const disputed = Object.values(disputes).filter(({ won }) => won !== true);
  const gone = [...Object.values(refunds), ...disputed]
    .filter((one) => one.chargeKey === chargeKey)
    .reduce((sum, { amount }) => add(sum, amount), zero(charge.amount.currency));
  return subtract(charge.amount, gone);
}

export const sandboxAccountAggregate: Aggregate<
  SandboxAccount,
  SandboxCommand,
  SandboxEvent,
  SandboxRejection
> = {
  category: 'sandbox_account',
  decider: { initialState: { charges: {}, refunds: {}, disputes: {} }, evolve, decide },
};

/** The stored names of the sandbox's events: a release can read them, too. */
export const SANDBOX_EVENT_TYPES: readonly SandboxEvent['type'][] = [
  'sandbox.charged.v1',
  'sandbox.settled.v1',
  'sandbox.challenged.v1',
  'sandbox.challenge_decided.v1',
  'sandbox.refunded.v1',
  'sandbox.dispute_opened.v1',
  'sandbox.dispute_closed.v1',
];
