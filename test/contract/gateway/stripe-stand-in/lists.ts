import { type Answer, ok } from './answers.js';
import type { Form } from './form.js';

interface Listed {
  readonly id: string;
  readonly created: number;
  readonly payment_intent?: string;
  readonly payout?: string;
}

/** A list as Stripe gives it: the newest first, in pages, of one intent or of a time where that is asked for. */
export function listAll(all: Iterable<Listed>, query: Form): Answer {
  const since = Number(query['created[gte]'] ?? 0);
  const { payment_intent: intent, payout: paid } = query;
  const meant = [...all]
    .filter(({ created }) => created >= since)
    .filter(({ payment_intent }) => intent === undefined || payment_intent === intent)
    .filter(({ payout }) => paid === undefined || payout === paid)
    .reverse();
  const begin = meant.findIndex(({ id }) => id === query['starting_after']) + 1;
  const end = begin + Number(query['limit'] ?? 10);
  const has_more = end < meant.length;
  return ok({ object: 'list', url: '/v1', has_more, data: meant.slice(begin, end) });
}
