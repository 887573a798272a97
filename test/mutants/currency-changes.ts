import type { Mutant } from './mutant.js';

const DOMAIN = 'libs/domain/src/subscription';
const SPECS = [`${DOMAIN}/currency.change.spec`];

/** Guards of moves to another currency (rules/lifecycle 14). */
export const CURRENCY_CHANGE_MUTANTS: readonly Mutant[] = [
  {
    name: 'a page of before a move charges in the former currency',
    harm: 'Prices of two currencies are compared, and a player pays in one that has ended.',
    file: `${DOMAIN}/change.obstacles.ts`,
    guard: '  if (wanted.currency === price.currency) return null;',
    without: '  if (wanted.amountMinor !== price.currency) return null;',
    specs: SPECS,
  },
  {
    name: 'another plan takes the place of a move that waits',
    harm: 'A subscription stays in a currency that ends, and its studio does not know.',
    file: `${DOMAIN}/change.obstacles.ts`,
    guard: '  if (scheduledChange?.movesCurrency === true) {',
    without: '  if (scheduledChange?.effectiveAt === wanted.currency) {',
    specs: SPECS,
  },
  {
    name: 'a move is lost by a cancel that is taken back',
    harm: 'The next renewal is charged in a currency that has ended.',
    file: `${DOMAIN}/change.state.ts`,
    guard: 'scheduledChange?.movesCurrency === true ? scheduledChange : null',
    without: 'scheduledChange?.movesCurrency === true ? null : null',
    specs: SPECS,
  },
  {
    name: 'an open period is paid by what was shown in another currency',
    harm: 'An amount is bound by one of another currency: a fault where a refusal is due.',
    file: `${DOMAIN}/change.decide.ts`,
    guard:
      "    if (quote.amount.currency !== shown.currency) return refuse('subscription/currency_changed');",
    without: '',
    specs: SPECS,
  },
  {
    name: 'a move gives a locked price up',
    harm: 'A player who bought at a former price is charged what new players pay.',
    file: `${DOMAIN}/currency.change.ts`,
    guard: "  if (!isSoldSo && lockedPrices === 'keep') return stays('price_locked');",
    without: '',
    specs: SPECS,
  },
  {
    name: 'a move is announced twice',
    harm: 'A repeated command sends a second message, at another price.',
    file: `${DOMAIN}/currency.change.ts`,
    guard:
      "  if (state.scheduledChange?.movesCurrency === true) return stays('already_scheduled');",
    without: '',
    specs: SPECS,
  },
  {
    name: 'an open period is charged in the other currency',
    harm: 'A retry asks for another amount than the period was due at.',
    file: `${DOMAIN}/currency.change.ts`,
    guard: '  const paid = withOpenPaid(state);',
    without: '  const paid = state;',
    specs: SPECS,
  },
  {
    name: 'prices of two currencies are compared',
    harm: 'A plan counts as dearer because its currency has smaller units.',
    file: `${DOMAIN}/proration.ts`,
    guard: '  assertOneCurrency(left.price, right.price);',
    without: '',
    specs: [`${DOMAIN}/proration`],
  },
];
