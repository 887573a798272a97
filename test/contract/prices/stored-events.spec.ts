import { describe, expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import {
  decidePriceSheet,
  evolvePriceSheet,
  noPriceSheet,
  rowsStreamName,
} from '#domain/price-sheet';
import { decideTaxRates, noTaxRates } from '#domain/pricing';
import { PriceSheetReader } from '#price-books';
import { chunkRows } from '../../../libs/price-books/src/row-chunks.js';

/** The rows that lie in event stores for good: a change here is a new version of the event, with an upcaster. */
const NOW = '2026-06-01T00:00:00.000Z';

describe('the stored form', () => {
  it('of an uploaded and activated price sheet is the golden one', () => {
    const contentHash = 'a'.repeat(64);
    const rowsStream = rowsStreamName('app_1', contentHash);
    const content = { contentHash, rowCount: 2, priceIdCount: 1, rowsStream, chunkCount: 1 };
    const upload = {
      kind: 'UploadPriceSheet',
      comparedWith: null,
      content,
      uploadedBy: 'operator:fin',
      now: NOW,
    } as const;
    const decision = decidePriceSheet(upload, noPriceSheet);
    const events = decision.accepted ? decision.events : [];
    expect(events.map(({ type }) => type)).toEqual([
      'price_sheet.uploaded.v1',
      'price_sheet.activated.v1',
    ]);
    for (const { type, data } of events) expect(data).toEqual(golden(type));
    const state = events.reduce(evolvePriceSheet, noPriceSheet);
    expect(state.versions).toEqual([golden('price_sheet.uploaded.v1')]);
    expect(state.activations).toEqual([golden('price_sheet.activated.v1')]);
  });

  it('of a chunk of rows is the golden one', () => {
    const reader = new PriceSheetReader(NOW);
    const csv = 'priceId,country,currency,amount\ngems,US,USD,9.99\ngems,JP,JPY,1500\n';
    reader.write(new TextEncoder().encode(csv));
    const reading = reader.finish();
    const chunks = reading.accepted ? [...chunkRows(reading.sheet)] : [];
    expect(chunks).toEqual([
      { type: 'price_sheet_rows.stored.v1', data: golden('price_sheet_rows.stored.v1') },
    ]);
  });

  it('of tax rates is the golden one', () => {
    const rates = [
      { country: 'DE', rate: '0.19', inclusive: true },
      { country: 'US', region: 'NY', rate: '0.08875', inclusive: false },
    ];
    const set = { kind: 'SetTaxRates', rates, setBy: 'operator:fin', now: NOW } as const;
    expect(decideTaxRates(set, noTaxRates)).toEqual({
      accepted: true,
      events: [{ type: 'tax_rates.set.v1', data: golden('tax_rates.set.v1') }],
    });
  });
});

function golden(type: string): unknown {
  return JSON.parse(readFileSync(new URL(`events/${type}.json`, import.meta.url), 'utf8'));
}
