/** The behaviour of each payment method of the sandbox, for the document (rules/payments 9). */
export const SANDBOX_METHOD_MEANINGS: Readonly<Record<string, string>> = {
  pm_ok: 'Every charge goes through.',
  pm_decline_insufficient_funds: 'Declined, soft: a renewal is tried again.',
  pm_decline_do_not_honor: 'Declined, soft.',
  pm_decline_lost_card: 'Declined, hard: a renewal is not tried again.',
  pm_decline_fraud: 'Declined for suspected fraud.',
  pm_authentication_required: "The bank wants a confirmation, on a page of the sandbox's bank.",
  pm_renewal_declines: 'The first charge goes through, and every later one is declined, soft.',
  pm_renewal_declines_once:
    'The first attempt at the first renewal is declined, its retry goes through.',
  pm_pending: 'Without an outcome at first: it comes by a later notice.',
  pm_timeout:
    'Goes through, and the answer is lost: the next call with the same key tells the truth.',
  pm_unavailable: 'The gateway is down.',
};

/** The same as a table of Markdown. */
export function sandboxMethodTable(): string {
  const rows = Object.entries(SANDBOX_METHOD_MEANINGS);
  return [
    '| payment method | behaviour |',
    '| --- | --- |',
    ...rows.map(([method, meaning]) => `| \`${method}\` | ${meaning} |`),
  ].join('\n');
}
