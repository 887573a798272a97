import type { Instant } from '../event/index.js';
import { currencyOfCountry, taxRatesInForce } from '../pricing/index.js';
import {
  type ConversionRejection,
  type ConversionRequest,
  conversionViolations,
  roundingOf,
} from './conversion-request.js';
import {
  type PricingBasis,
  type Quote,
  quotePrice,
  type QuoteProvenance,
  type QuoteTerms,
  quoteTerms,
  SOURCE_CURRENCY,
} from './quote.js';

/** The answer to a conversion, spelt and ordered as interface 4.2 prints it. */
export interface Conversion<T = Quote> {
  readonly sourceCurrency: string;
  readonly destinationCurrency: string;
  readonly destinationCountry: string;
  readonly conversions: readonly T[];
  readonly missingPriceIds: readonly string[];
  readonly taxRate: string;
  readonly taxInclusive: boolean;
}

export type ConversionAnswer<T = Quote> =
  | {
      readonly accepted: true;
      readonly conversion: Conversion<T>;
      readonly provenance: QuoteProvenance;
    }
  | { readonly accepted: false; readonly rejection: ConversionRejection };

/** Kept quotes are some 500 bytes each with their JSON: ten megabytes an app at the most. */
const MAX_KEPT_QUOTES = 20_000;

/** Quotes of one country that were made already, with the number of the request that last took each. */
interface Page<T> {
  readonly terms: QuoteTerms;
  readonly entries: Map<string, { readonly quote: T; lastRequest: number }>;
}

/**
 * Answers conversions from one basis. A basis never changes, so that a quote once made is kept, in the
 * form that the caller presents it in (its JSON text, say): games ask for the same prices again and
 * again. A new sheet or new rates are a new basis and a new book, which is put in this one's place.
 */
export class QuoteBook<T = Quote> {
  private readonly pages = new Map<string, Page<T>>();
  private keptCount = 0;
  private requestCount = 0;

  constructor(
    private readonly basis: PricingBasis,
    private readonly present: (quote: Quote) => T,
  ) {}

  /** Ids are answered once each, in the order of the request; unknown ones are listed (decisions 9). */
  convert(request: ConversionRequest, at: Instant): ConversionAnswer<T> {
    const page = this.pageOf(request, at);
    const violations = conversionViolations(request, at);
    if (page === undefined || violations.length > 0) return invalid(violations);
    // Never in the midst of a request: a kept quote knows whether this request has it already.
    if (this.keptCount >= MAX_KEPT_QUOTES) this.forget();
    const conversions: T[] = [];
    const missing = new Set<string>();
    this.requestCount += 1;
    for (const priceId of request.priceIds) {
      const entry = page.entries.get(priceId) ?? this.enter(priceId, page);
      if (entry === undefined) missing.add(priceId);
      else if (entry.lastRequest !== this.requestCount) {
        entry.lastRequest = this.requestCount;
        conversions.push(entry.quote);
      }
    }
    const { country, currency, tax, provenance } = page.terms;
    const conversion = {
      sourceCurrency: SOURCE_CURRENCY,
      destinationCurrency: currency,
      destinationCountry: country,
      conversions,
      missingPriceIds: [...missing],
      taxRate: tax?.rate ?? NO_TAX_RATE,
      taxInclusive: tax?.inclusive ?? false,
    };
    return { accepted: true, conversion, provenance };
  }

  /**
   * Names what an answer depends on besides this book and the request: currency and rates may change
   * with the hour alone. Equal requests under equal names have equal answers.
   */
  termsName(request: ConversionRequest, at: Instant): string {
    const { destinationCountry } = request;
    const currency = currencyOfCountry(destinationCountry, at);
    const taxVersion = taxRatesInForce(this.basis.taxRates, at)?.version ?? 0;
    return `${destinationCountry} ${currency ?? ''} ${taxVersion} ${roundingOf(request) ?? ''}`;
  }

  private pageOf(request: ConversionRequest, at: Instant): Page<T> | undefined {
    const name = this.termsName(request, at);
    const known = this.pages.get(name);
    if (known !== undefined) return known;
    const terms = quoteTerms(this.basis, request.destinationCountry, roundingOf(request), at);
    if (terms === undefined) return undefined;
    const page: Page<T> = { terms, entries: new Map() };
    this.pages.set(name, page);
    return page;
  }

  private enter(priceId: string, page: Page<T>) {
    const quote = quotePrice(priceId, page.terms);
    if (quote === undefined) return undefined;
    const entry = { quote: this.present(quote), lastRequest: 0 };
    page.entries.set(priceId, entry);
    this.keptCount += 1;
    return entry;
  }

  /** Rare, and cheaper than to keep count of each quote's use. */
  private forget(): void {
    for (const page of this.pages.values()) page.entries.clear();
    this.keptCount = 0;
  }
}

/** `taxRate` where no rate is set (decisions 9). */
const NO_TAX_RATE = '0';

/** Converts where there may be no sheet yet: bad fields are named first, as mending them is needed anyway. */
export function convertPrices<T>(
  book: QuoteBook<T> | undefined,
  request: ConversionRequest,
  at: Instant,
): ConversionAnswer<T> {
  if (book !== undefined) return book.convert(request, at);
  const violations = conversionViolations(request, at);
  if (violations.length > 0) return invalid(violations);
  return { accepted: false, rejection: { code: 'price_sheet/not_uploaded' } };
}

function invalid(violations: ReturnType<typeof conversionViolations>) {
  const code = 'prices/invalid_request' as const;
  return { accepted: false as const, rejection: { code, violations } };
}
