import type { LRUCache } from 'lru-cache';
import type { Instant } from '#domain/event';
import {
  type ConversionRejection,
  type ConversionRequest,
  convertPrices,
  type PricingBasis,
  type QuoteProvenance,
  termsKey,
} from '#domain/price-sheet';

/** The answer to a conversion, ready to be sent. */
interface SentConversion {
  readonly accepted: true;
  readonly body: Buffer;
  readonly provenance: QuoteProvenance;
}

export type ConversionOutcome =
  SentConversion | { readonly accepted: false; readonly rejection: ConversionRejection };

/** An answer with its request and its other inputs. */
interface KeptAnswer {
  readonly request: ConversionRequest;
  readonly terms: string;
  readonly sent: SentConversion;
}

/** Answers of all books, by book and the bytes of the request. */
export type KeptAnswers = LRUCache<string, KeptAnswer>;

/** The size of an answer with its key. */
export function sizeOfAnswer({ sent }: KeptAnswer, key: string): number {
  return sent.body.length + 2 * key.length;
}

/**
 * One app's present prices. A studio's backend asks for the same prices of a country for each of its players, so that
 * an answer is kept as it was sent, for as long as sheet, rates and currency stay the same: equal bytes are not even
 * parsed again. This is the one cache of conversions; docs/performance.md has its worth.
 */
export class PriceBook {
  /**
   * @param name tells this book's answers from those of every other one.
   * @param basis undefined before the first sheet.
   */
  constructor(
    private readonly name: string,
    private readonly basis: PricingBasis | undefined,
    private readonly answers: KeptAnswers,
  ) {}

  /** @param read makes the request of its bytes; the caller gets its errors. */
  convert(
    bytes: Buffer,
    read: (bytes: Buffer, at: Instant) => ConversionRequest,
    at: Instant,
  ): ConversionOutcome {
    const { name, basis, answers } = this;
    const key = `${name} ${bytes.toString('latin1')}`;
    const kept = answers.get(key);
    if (kept !== undefined && kept.terms === termsKey(basis, kept.request, at)) return kept.sent;
    const request = read(bytes, at);
    const answer = convertPrices(basis, request, at);
    if (!answer.accepted) return answer;
    const body = Buffer.from(JSON.stringify(answer.conversion));
    const sent = { accepted: true, body, provenance: answer.provenance } as const;
    answers.set(key, { request, terms: termsKey(basis, request, at), sent });
    return sent;
  }
}
