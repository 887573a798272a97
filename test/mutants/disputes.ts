import type { Mutant } from './mutant.js';

const RECEIVE = 'apps/api/src/gateway-notices/commands/receive-notice';
const PAYMENT = 'libs/domain/src/payment';

/** Guards of what gateways tell by themselves, and of the money that it moves. */
export const DISPUTE_MUTANTS: readonly Mutant[] = [
  {
    name: 'a notice is applied to the payment of another app',
    harm: "A gateway account of one studio settles, disputes and fails another studio's payments.",
    file: `${RECEIVE}.ts`,
    guard: 'payment.appId === context.appId &&',
    without: '',
    specs: [`${RECEIVE}.spec.ts`],
  },
  {
    name: 'a gateway tells of what another one took',
    harm: 'By events of its own account a studio settles payments that were never made.',
    file: `${RECEIVE}.ts`,
    guard: 'readGatewayKind(payment.paymentMethod) === gatewayKind',
    without: 'true',
    specs: [`${RECEIVE}.spec.ts`],
  },
  {
    name: 'a notice is believed that the gateway did not sign',
    harm: 'Anyone who knows a payment can say that it was captured, or lost in a dispute.',
    file: `${RECEIVE}.ts`,
    guard: '    if (!reading.genuine) throw forged(reading.why);\n',
    without: '    if (!reading.genuine) return null;\n',
    specs: [`${RECEIVE}.spec.ts`],
  },
  {
    name: "the sandbox's signature does not cover the app",
    harm: 'A notice of one app is sent to the address of another one, and believed there.',
    file: 'libs/gateway/src/sandbox-notices.ts',
    guard: '`${seconds}.${appId}.`',
    without: '`${seconds}.`',
    specs: ['libs/gateway/src/sandbox-notices.spec.ts'],
  },
  {
    name: 'a dispute whose closing comes first is opened by its late opening',
    harm: 'The payment stays disputed for good, and its refunds are refused.',
    file: `${PAYMENT}/payment.disputes.ts`,
    guard: '  if (state.disputeIds.includes(disputeId)) return accept();\n',
    without: '',
    specs: [`${PAYMENT}/payment.disputes.spec.ts`],
  },
  {
    name: 'what the gateway has just done is a difference',
    harm: 'A charge whose answer is on its way is named as lost money, every day.',
    file: 'libs/gateway/src/reconcile.ts',
    guard: 'if (listed !== undefined && listed.changedAt > this.#settledBefore) return [];',
    without: '',
    specs: ['test/integration/gateway/reconcile.int.spec.ts'],
  },
  {
    name: 'a repeated call tells the ledger nothing',
    harm: 'A dispute whose notice was lost is in the books of the sandbox alone, whatever its caller does.',
    file: 'apps/api/src/manage/sandbox/commands/open-dispute.ts',
    guard: 'const position = await this.disputes.tell(notice, context);',
    without: 'const position = replayed ? null : await this.disputes.tell(notice, context);',
    specs: ['apps/api/src/manage/sandbox/sandbox-disputes.spec.ts'],
  },
  {
    name: 'a run begins where the last one ended',
    harm: 'What was on its way at a run is compared by none.',
    file: 'apps/worker/src/processes/payments/daily-reconciliation.ts',
    guard: 'this.#compare(before, now, signal)',
    without: 'this.#compare(last, now, signal)',
    specs: ['test/integration/worker/daily-reconciliation.int.spec.ts'],
  },
  {
    name: 'a job takes back a refund that was made',
    harm: 'A second answer to one question makes money remain that the player has got.',
    file: `${PAYMENT}/payment.refunds.ts`,
    guard: "if (kind !== 'ReverseRefund' || !isRefundMade(state, refundId)) return accept();",
    without: "if (kind === 'ConfirmRefund' || !isRefundMade(state, refundId)) return accept();",
    specs: [`${PAYMENT}/payment.refunds.spec.ts`],
  },
  {
    name: 'a disputed payment is refunded',
    harm: 'The same money is given back by the refund and by the dispute that is lost.',
    file: `${PAYMENT}/payment.refunds.ts`,
    guard: "if (state.status !== 'SUCCEEDED' && state.status !== 'PARTIALLY_REFUNDED') {",
    without: 'if (state.capturedAt === null) {',
    specs: [`${PAYMENT}/payment.disputes.spec.ts`],
  },
  {
    name: 'a late renewal that was disputed stays with the merchant',
    harm: 'A charge that buys nothing is not given back once its dispute is won.',
    file: 'libs/domain/src/processes/dispute.process.ts',
    guard: 'return closed && lateCaptures.includes(paymentId) ? [returnLate(paymentId, now)] : [];',
    without: 'return closed && lateCaptures.length < 0 ? [returnLate(paymentId, now)] : [];',
    specs: ['test/contract/lifecycle.spec.ts'],
  },
  {
    name: 'what was before a loss of Redis is compared with nothing',
    harm: 'A charge that the ledger does not know stays unknown where Redis was emptied that day.',
    file: 'apps/worker/src/processes/payments/daily-reconciliation.ts',
    guard: 'return { at: addMilliseconds(now, -2 * RECONCILE_EVERY_MS), position: START };',
    without: 'return { at: now, position: START };',
    specs: ['test/integration/worker/daily-reconciliation.int.spec.ts'],
  },
];
