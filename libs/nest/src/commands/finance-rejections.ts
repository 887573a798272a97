import type { FinanceRejection } from '#domain/finance';
import { FINANCE_REFUSALS } from '#representations';
import { INVALID_FIELDS, refused, type RejectionRow } from './rejection-row.js';

/** The answers to refused acts of finance (rules/finance 30 and 31). */
export const FINANCE_ROWS: Readonly<Record<FinanceRejection['code'], RejectionRow>> = {
  'finance/already_closed': toRow('finance/already_closed'),
  'finance/invalid_policy': INVALID_FIELDS,
  'finance/no_close_requested': toRow('finance/no_close_requested'),
  'finance/not_next_period': toRow('finance/not_next_period'),
  'finance/nothing_booked': toRow('finance/nothing_booked'),
  'finance/period_not_over': toRow('finance/period_not_over'),
  'finance/policy_changed': toRow('finance/policy_changed'),
  'finance/same_person': toRow('finance/same_person'),
};

function toRow(code: FinanceRejection['code']): RejectionRow {
  const { reason, message } = FINANCE_REFUSALS[code];
  return refused(reason, message);
}
