import type { Conversion, Quote } from '#domain/price-sheet';

/**
 * A quote as it is kept: its JSON in UTF-8, each byte as one character (Latin-1). Joining such texts
 * and turning them into bytes is copying; encoding a text with a currency sign anew takes ten times
 * as long, and longer than all the rest of a conversion (decision 0050).
 */
export type QuoteBytes = string;

export function presentQuote(quote: Quote): QuoteBytes {
  return bytesOf(quote);
}

/** The answer of interface 4.2 as it goes out: fields in the interface's order, quotes as they are kept. */
export function renderConversion(conversion: Conversion<QuoteBytes>): Buffer {
  const { conversions, missingPriceIds, taxRate, taxInclusive, ...head } = conversion;
  const before = bytesOf(head).slice(0, -1);
  const after = bytesOf({ missingPriceIds, taxRate, taxInclusive }).slice(1);
  return Buffer.from(`${before},"conversions":[${conversions.join()}],${after}`, 'latin1');
}

function bytesOf(value: unknown): QuoteBytes {
  return Buffer.from(JSON.stringify(value)).toString('latin1');
}
