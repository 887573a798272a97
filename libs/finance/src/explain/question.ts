import type { AccountingPeriod } from '#domain/bookkeeping';
import { isPeriod } from '../report/question.js';

/** The thing that is to be explained. */
export type Explainable =
  | { readonly kind: 'entry' | 'payment'; readonly id: string }
  | { readonly kind: 'subscription'; readonly id: string }
  | { readonly kind: 'figure'; readonly account: string; readonly period: AccountingPeriod };

const ENTRY = /^[0-9a-f-]{36}#\d+(?:\/\d{4}-\d{2})?$/;
const FIGURE = /^(\S+:\S+)\s+(\S+)$/;

export const EXPLAINABLE =
  'the id of an entry (EVENT#1, EVENT#1/2026-01), a payment, a subscription, or "ACCOUNT PERIOD" ("income:subscriptions 2026-01")';

/** Tells things apart by their form; undefined for a text that has none of them. */
export function readExplainable(text: string): Explainable | undefined {
  if (ENTRY.test(text)) return { kind: 'entry', id: text };
  if (text.startsWith('pay_')) return { kind: 'payment', id: text };
  if (text.startsWith('sub_')) return { kind: 'subscription', id: text };
  const [, account, period] = FIGURE.exec(text) ?? [];
  if (account === undefined || period === undefined || !isPeriod(period)) return undefined;
  return { kind: 'figure', account, period };
}
