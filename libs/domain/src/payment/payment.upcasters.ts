import type { BillingPeriod } from './payment.purpose.js';

/** What `.v2` said of a line, and of the period that all lines covered. */
interface UnexplainedRequest {
  readonly purpose: { readonly period: BillingPeriod };
  readonly lines: readonly { readonly kind: string }[];
}

/** The lines covered the period of the purpose; the price and the rate that they came from were not kept. */
function explainLines(data: unknown): unknown {
  // Golden files hold the stored form.
  const request = data as UnexplainedRequest;
  const { start, end } = request.purpose.period;
  const lines = request.lines.map((line) => ({
    ...line,
    ...(line.kind === 'tax' && { rate: null }),
    covers: { start, end },
    origin: null,
  }));
  return { ...request, lines };
}

/** From lines that had an amount alone to those that say where it comes from (decision 0103). */
export const PAYMENT_UPCASTERS = [
  { from: 'payment.requested.v2', to: 'payment.requested.v3', upcast: explainLines },
];
