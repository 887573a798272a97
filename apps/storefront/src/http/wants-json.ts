import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';

/** HTML first: who says nothing, or takes anything, is a browser. */
const FORMS = ['text/html', 'application/json'];

/** Whether a caller of the shop wants data in the place of pages (rules/webshop 2). */
export function wantsJson({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const { accept = '' } = headers;
  return new Negotiator({ headers: { accept } }).mediaType(FORMS) === 'application/json';
}
