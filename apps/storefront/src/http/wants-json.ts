import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { keepUpTo } from '../languages/keep-up-to.js';

/** HTML first: who says nothing, or takes anything, is a browser. */
const FORMS = ['text/html', 'application/json'];

/** Browsers send few different headers; a longer one is none of theirs. */
const KEPT = 200;
const MAX_KEPT_CHARACTERS = 200;
const keep = keepUpTo<{ readonly isJson: boolean }>(KEPT);

/** Whether a caller of the shop wants data in the place of pages (rules/webshop 2). */
export function wantsJson({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const { accept = '' } = headers;
  if (accept.length > MAX_KEPT_CHARACTERS) return prefersJson(accept);
  return keep(accept, () => ({ isJson: prefersJson(accept) })).isJson;
}

function prefersJson(accept: string): boolean {
  return new Negotiator({ headers: { accept } }).mediaType(FORMS) === 'application/json';
}
