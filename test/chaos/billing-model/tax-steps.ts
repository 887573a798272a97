import { strictEqual } from 'node:assert/strict';
import { requireOk } from '../../support/scenario.js';
import { HOUR_MS, toInstant } from './model-dates.js';
import { describeRates, RATES } from './model-tax.js';
import type { Step } from './step.js';

/** The app's rates are others, from now on or in some hours: earlier due dates keep those of then (rules/prices 5). */
export const setRates = (rates: (typeof RATES)[number], inHours: number | null): Step => ({
  check: () => true,
  run: async ({ market }, { player }) => {
    const from = inHours === null ? null : player.clockAt + inHours * HOUR_MS;
    const effective = from === null ? {} : { effectiveFrom: toInstant(from) };
    const body = { rates: describeRates(rates), ...effective };
    const answer = requireOk(await player.operate('tax-rates', body, 'PUT'));
    const version = market.setRates(rates, { from, now: player.clockAt });
    strictEqual(answer.headers.get('x-tax-rates-version'), String(version), 'version of the rates');
  },
  toString: () =>
    `rates ${RATES.indexOf(rates)} ${inHours === null ? 'from now on' : `in ${inHours} h`}`,
});
