import type { Answer, ApiClient } from './api-client.js';
import { requireOk, tokenIn } from './scenario.js';

/** A sheet of the given rows, such as `gems,DE,EUR,9.49`. */
export function sheet(...rows: readonly string[]): string {
  return ['priceId,country,currency,amount', ...rows].map((row) => `${row}\n`).join('');
}

/** Uploads a price sheet as an operator does. */
export function putSheet(
  operator: ApiClient,
  appId: string,
  csv: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const path = `/manage/apps/${appId}/price-sheet`;
  return operator.send('PUT', path, {
    body: csv,
    headers: { 'content-type': 'text/csv', ...headers },
  });
}

/** Sets the tax rates. */
export function putTaxRates(operator: ApiClient, appId: string, body: unknown): Promise<Answer> {
  return operator.send('PUT', `/manage/apps/${appId}/tax-rates`, { body });
}

/** The body of a conversion of `gems` in Germany, changed as a test needs it. */
export function conversion(changes: Readonly<Record<string, unknown>> = {}) {
  return { sourceCurrency: 'USD', destinationCountry: 'DE', priceIds: ['gems'], ...changes };
}

export const CONVERT = '/sdk/server/prices/convert';

/** Has the API look at the written prices; later answers, also without a token, are made from them. */
export async function knowPrices(backend: ApiClient, written: Answer): Promise<void> {
  const headers = { 'x-consistency-token': tokenIn(requireOk(written)) };
  await backend.post(CONVERT, conversion(), headers);
}
