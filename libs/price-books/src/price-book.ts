import type { LRUCache } from 'lru-cache';
import type { Instant } from '#domain/event';
import {
  type ConversionRejection,
  type ConversionRequest,
  convertPrices,
  type QuoteBook,
  type QuoteProvenance,
} from '#domain/price-sheet';
import { type QuoteBytes, renderConversion } from './conversion-bytes.js';

/** The answer of interface 4.2, ready to be sent. */
interface SentConversion {
  readonly accepted: true;
  readonly body: Buffer;
  readonly provenance: QuoteProvenance;
}

export type ConversionOutcome =
  SentConversion | { readonly accepted: false; readonly rejection: ConversionRejection };

/** An answer with the request that it is for, and what it depends on besides. */
interface KeptAnswer {
  readonly request: ConversionRequest;
  readonly terms: string;
  readonly sent: SentConversion;
}

/** Answers of all books, by book and the bytes of the request. */
export type KeptAnswers = LRUCache<string, KeptAnswer>;

/** How large an answer is, with what it is kept for. */
export function sizeOfAnswer({ sent }: KeptAnswer, key: string): number {
  return sent.body.length + 2 * key.length;
}

/**
 * One app's present prices. Studios' backends ask for the same prices of a country for each of their
 * players, so that an answer is kept as it was sent, for as long as sheet, rates and currency are
 * what they were: equal bytes are not even parsed again (decision 0050).
 */
export class PriceBook {
  constructor(
    private readonly name: string,
    /** Undefined before the first sheet. */
    private readonly quotes: QuoteBook<QuoteBytes> | undefined,
    private readonly answers: KeptAnswers,
  ) {}

  /** @param read makes the request of its bytes; what it throws goes to the caller. */
  convert(
    bytes: Buffer,
    read: (bytes: Buffer, at: Instant) => ConversionRequest,
    at: Instant,
  ): ConversionOutcome {
    const { name, quotes, answers } = this;
    const key = `${name} ${bytes.toString('latin1')}`;
    const kept = answers.get(key);
    if (kept !== undefined && quotes?.termsName(kept.request, at) === kept.terms) return kept.sent;
    const request = read(bytes, at);
    const answer = convertPrices(quotes, request, at);
    if (!answer.accepted) return answer;
    const { conversion, provenance } = answer;
    const sent = { accepted: true, body: renderConversion(conversion), provenance } as const;
    answers.set(key, { request, terms: quotes?.termsName(request, at) ?? '', sent });
    return sent;
  }
}
