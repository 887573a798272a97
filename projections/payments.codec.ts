import type { Instant } from '#domain/event';
import {
  findReference,
  type PaymentStatus,
  type PaymentSummary,
  type ShownPayment,
} from '#domain/payment';
import {
  packInstant,
  type PackedInstant,
  readBase,
  type StateCodec,
  trimmed,
  unpackInstant,
} from '#projection-engine/define';
import {
  codecForExisting,
  packChoice,
  packId,
  packMoney,
  type PackedMoney,
  unpackChoice,
  unpackId,
  unpackMoney,
} from './packed-values.js';

/** As they are numbered in stored documents. */
const STATUSES = [
  'PENDING',
  'SUCCEEDED',
  'FAILED',
  'PARTIALLY_REFUNDED',
  'REFUNDED',
  'DISPUTED',
] as const satisfies readonly PaymentStatus[];

/** What payments are for, as it is numbered in stored documents. */
const PURPOSES = [
  'subscription_period',
  'plan_change',
  'payment_method_update',
  'order',
] as const satisfies readonly PaymentSummary['purpose']['kind'][];

/** The values in their order: what an ordinary payment has, and at the end what most have not. */
type Packed = readonly [
  status: number,
  appId: string,
  player: string,
  checkoutLinkId: string,
  /** The subscription that it is for, or the order. */
  subject: string,
  /** Of the period; 0 for an order. */
  number: number,
  attempt: number,
  amountMinor: string,
  currency: string,
  requestedAt: PackedInstant,
  capturedAt?: PackedInstant | null,
  paymentMethodSubType?: string | null,
  issuerBank?: string | null,
  tax?: PackedMoney | null,
  isTaxInclusive?: true | null,
  exceptions?: PackedExceptions | null,
  /** Where it is not for a period. */
  purpose?: number | null,
];

type PackedExceptions = readonly [
  messageCount: number | null,
  pendingSince?: PackedInstant | null,
  failedAt?: PackedInstant | null,
  decline?: PaymentSummary['decline'],
  totalRefunded?: PackedMoney | null,
  refundIds?: readonly string[] | null,
  lastRefundAt?: PackedInstant | null,
  openDisputes?: PaymentSummary['openDisputes'] | null,
  unappliedAt?: PackedInstant | null,
  /** Where it is not the time of the outcome, or of the request. */
  updatedAt?: PackedInstant | null,
  refundedTax?: PackedMoney | null,
  openRefunds?: PaymentSummary['openRefunds'] | null,
  disputeIds?: readonly string[] | null,
  lastDispute?: PaymentSummary['lastDispute'],
  lostTotal?: PackedMoney | null,
  madeRefunds?: PaymentSummary['madeRefunds'] | null,
  givenUp?: PaymentSummary['givenUp'],
];

/** How payments are stored; nothing is kept of one that is not there. */
export const paymentCodec: StateCodec<ShownPayment> = codecForExisting(packPayment, unpackPayment);

function packPayment(payment: PaymentSummary): Packed {
  const { purpose, amount, method, tax } = payment;
  const requestedAt = packInstant(payment.requestedAt, 0);
  const base = readBase(requestedAt);
  return [
    packChoice(STATUSES, payment.status),
    packId('app_', payment.appId),
    payment.player,
    packId('link_', payment.checkoutLinkId),
    packId('sub_', findReference(purpose)),
    purpose.kind === 'order' ? 0 : purpose.period.number,
    purpose.attempt,
    amount.amountMinor,
    amount.currency,
    requestedAt,
    packInstant(payment.capturedAt, base),
    method.paymentMethodSubType || null,
    method.issuerBank || null,
    tax && packMoney(tax.amount, amount.currency),
    tax?.inclusive === true ? true : null,
    packExceptions(payment, base),
    packChoice(PURPOSES, purpose.kind) || null,
  ];
}

function packExceptions(payment: PaymentSummary, base: number): PackedExceptions | null {
  const { messageCount, decline, totalRefunded, refundIds, openDisputes, amount } = payment;
  const refunded = packMoney(totalRefunded, amount.currency);
  const refundedTax = packMoney(payment.refundedTax, amount.currency);
  const lost = packMoney(payment.lostTotal, amount.currency);
  const packed = trimmed([
    messageCount || null,
    packInstant(payment.pendingSince, base),
    packInstant(payment.failedAt, base),
    decline,
    refunded === '0' ? null : refunded,
    refundIds.length === 0 ? null : refundIds,
    packInstant(payment.lastRefundAt, base),
    openDisputes.length === 0 ? null : openDisputes,
    packInstant(payment.unappliedAt, base),
    payment.updatedAt === impliedUpdate(payment) ? null : packInstant(payment.updatedAt, base),
    refundedTax === '0' ? null : refundedTax,
    payment.openRefunds.length === 0 ? null : payment.openRefunds,
    payment.disputeIds.length === 0 ? null : payment.disputeIds,
    payment.lastDispute,
    lost === '0' ? null : lost,
    payment.madeRefunds.length === 0 ? null : payment.madeRefunds,
    payment.givenUp,
  ]);
  // They stand in the order of the type.
  return packed.length === 0 ? null : (packed as unknown as PackedExceptions);
}

/** A payment that was not refunded, disputed or the like was last changed by its outcome. */
function impliedUpdate({ capturedAt, failedAt, requestedAt }: PaymentSummary): Instant {
  return capturedAt ?? failedAt ?? requestedAt;
}

/** All fields by name: an object that begins as a copy of another one takes ten times as long. */
function unpackPayment(packed: Packed, paymentId: string): PaymentSummary {
  const [status, appId, player, linkId] = packed;
  const [, , , , , , , amountMinor, currency, requestedAt, captured = null] = packed;
  const base = readBase(requestedAt);
  const tax = packed[13] ?? null;
  const requested = unpackInstant(requestedAt, 0);
  const capturedAt = unpackInstant(captured, base);
  const unusual = unpackExceptions(packed[15] ?? NO_EXCEPTIONS, currency, base);
  return {
    paymentId,
    appId: unpackId('app_', appId),
    player,
    checkoutLinkId: unpackId('link_', linkId),
    purpose: unpackPurpose(packed),
    amount: { amountMinor, currency },
    status: unpackChoice(STATUSES, status),
    requestedAt: requested,
    updatedAt: unusual.updatedAt ?? capturedAt ?? unusual.failedAt ?? requested,
    capturedAt,
    method: { paymentMethodSubType: packed[11] ?? '', issuerBank: packed[12] ?? '' },
    tax:
      tax === null ? null : { amount: unpackMoney(tax, currency), inclusive: packed[14] === true },
    messageCount: unusual.messageCount,
    pendingSince: unusual.pendingSince,
    failedAt: unusual.failedAt,
    decline: unusual.decline,
    totalRefunded: unusual.totalRefunded,
    refundedTax: unusual.refundedTax,
    openRefunds: unusual.openRefunds,
    givenUp: unusual.givenUp,
    refundIds: unusual.refundIds,
    lastRefundAt: unusual.lastRefundAt,
    openDisputes: unusual.openDisputes,
    disputeIds: unusual.disputeIds,
    lastDispute: unusual.lastDispute,
    lostTotal: unusual.lostTotal,
    madeRefunds: unusual.madeRefunds,
    unappliedAt: unusual.unappliedAt,
  };
}

function unpackPurpose(packed: Packed): PaymentSummary['purpose'] {
  const [, , , , subject, number, attempt] = packed;
  const kind = unpackChoice(PURPOSES, packed[16] ?? 0);
  const id = unpackId('sub_', subject);
  if (kind === 'order') return { kind, orderId: id, attempt };
  return { kind, subscriptionId: id, period: { number }, attempt };
}

const NO_EXCEPTIONS: PackedExceptions = [null];

function unpackExceptions(packed: PackedExceptions, currency: string, base: number) {
  return {
    messageCount: packed[0] ?? 0,
    pendingSince: unpackInstant(packed[1] ?? null, base),
    failedAt: unpackInstant(packed[2] ?? null, base),
    decline: packed[3] ?? null,
    totalRefunded: unpackMoney(packed[4] ?? '0', currency),
    refundIds: packed[5] ?? [],
    lastRefundAt: unpackInstant(packed[6] ?? null, base),
    unappliedAt: unpackInstant(packed[8] ?? null, base),
    updatedAt: unpackInstant(packed[9] ?? null, base),
    refundedTax: unpackMoney(packed[10] ?? '0', currency),
    openRefunds: packed[11] ?? [],
    madeRefunds: packed[15] ?? [],
    ...unpackDisputes(packed, currency),
    givenUp: unpackGivenUp(packed),
  };
}

function unpackGivenUp(packed: PackedExceptions) {
  return packed[16] ?? null;
}

function unpackDisputes(packed: PackedExceptions, currency: string) {
  return {
    openDisputes: packed[7] ?? [],
    disputeIds: packed[12] ?? [],
    lastDispute: packed[13] ?? null,
    lostTotal: unpackMoney(packed[14] ?? '0', currency),
  };
}
