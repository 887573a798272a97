import { RULES } from '#domain/bookkeeping';
import type { PaymentLine } from '#domain/payment';

/** Why an entry is as it is, in words; each names the section of the rules. */
const RULE_WORDS: Readonly<Record<string, string>> = {
  captured: 'the charge was captured: clearing against its lines (rules/finance 2)',
  refunded:
    'money went back: its own tax first, then what was not earned, then contra (rules/finance 2)',
  refund_failed: 'a refund that was made has failed: its entries the other way (rules/finance 2)',
  unapplied: "the payment buys nothing: all that is left of it is the player's (rules/finance 2)",
  dispute_opened: 'the gateway keeps disputed money back (rules/finance 2)',
  dispute_closed: 'the dispute was closed: money is there again, or is lost (rules/finance 2)',
  expired: 'the paid time has ended: all that was not earned is earned (rules/finance 2)',
  changed: 'the plan has changed without a charge: its unused time is divided (rules/finance 2)',
  recognized: 'money that was earned by the end of the period (rules/finance 3)',
  settled: "a row of the gateway's account (rules/finance 33)",
};

/** Why an entry was posted. @param rule as entries have it: `rules.v1/refunded/taken`. */
export function describeRule(rule: string): string {
  const [version, name = ''] = rule.split('/');
  const words = version === RULES ? RULE_WORDS[name] : undefined;
  return words ?? 'a rule of another release';
}

const LINE_WORDS: Readonly<Record<PaymentLine['kind'], string>> = {
  recurring: 'the price of a whole period, without tax (rules/payments 8)',
  proration_charge: 'the price of the new plan for the time that is left (rules/lifecycle 11)',
  proration_credit: 'the price of the unused time of the former plan (rules/lifecycle 11)',
  credit_forfeited: 'the part of the unused time that is lost (rules/lifecycle 11)',
  credit_refunded: 'the part of the unused time that goes back (rules/lifecycle 11)',
  item: 'the pieces of an item, without tax (rules/orders 2)',
  tax: 'the rate of the region on the other lines (rules/payments 8)',
};

/** How the amount of a line came about. */
export function describeLine({ kind }: Pick<PaymentLine, 'kind'>): string {
  return LINE_WORDS[kind];
}
