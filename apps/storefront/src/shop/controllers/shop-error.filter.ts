import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, addVary, answerError, LOG, setErrorHeaders, toApiError } from '#nest';
import { Fault, type Log } from '#platform';
import { sendPage } from '../../http/send-page.js';
import { wantsJson } from '../../http/wants-json.js';
import type { Notice } from '../../pages/notice-page.js';
import { renderNotice, type RenderedPage } from '../../pages/render-page.js';
import { renderShopFailure, renderShopNotice } from '../pages/render-shop-page.js';
import { chooseVisitorLocale } from '../http/visitor-locale.js';

/** Errors of the shop: of section "Errors" to programs, a page to browsers, which tells the next step. */
@Catch()
export class ShopErrorFilter implements ExceptionFilter {
  constructor(@Inject(LOG) private readonly log: Log) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const [request, reply] = [http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>()];
    addVary(reply, 'accept');
    const refusedAt = findRefusedAt(thrown, request);
    const page = wantsJson(request) ? undefined : renderError(thrown, request);
    if (page === undefined || isDefect(thrown)) answerError(thrown, request, reply, this.log);
    else if (refusedAt === undefined) sendErrorPage(toApiError(thrown, request), page, reply);
    else void reply.status(303).header('location', refusedAt).send('');
  }
}

/** A page has the status and the headers that the same error has as JSON: 429 with Retry-After, for one. */
function sendErrorPage(error: ApiError, page: RenderedPage, reply: FastifyReply): void {
  setErrorHeaders(reply, error);
  void sendPage(reply, { ...page, status: error.http });
}

/** A player can do nothing about a defect: it is logged, and answered with its request id. */
function isDefect(thrown: unknown): boolean {
  if (thrown instanceof ApiError) return thrown.status === 'INTERNAL';
  return !(thrown instanceof Fault && thrown.code !== 'undecodable');
}

/** Where a browser is led after a refusal of the domain: to the page that the form was on. */
function findRefusedAt(thrown: unknown, request: FastifyRequest): string | undefined {
  const { refusedAt } = request.routeOptions.config;
  if (refusedAt === undefined || !(thrown instanceof ApiError)) return undefined;
  if (thrown.status !== 'FAILED_PRECONDITION' && thrown.reason !== 'TOO_MANY_REQUESTS') {
    return undefined;
  }
  const query = `?refusal=${encodeURIComponent(thrown.reason)}`;
  if (refusedAt === 'shop') return `/shop${query}`;
  const itemId = refusedAt === 'item' ? findItemId(request) : undefined;
  return itemId === undefined ? `/shop/cart${query}` : `/shop/items/${itemId}${query}`;
}

function findItemId({ params, body }: FastifyRequest): string | undefined {
  // Both were validated before anything was refused.
  const fields = { ...(body as object), ...(params as object) } as { readonly itemId?: unknown };
  return typeof fields.itemId === 'string' ? encodeURIComponent(fields.itemId) : undefined;
}

function renderError(thrown: unknown, request: FastifyRequest): RenderedPage {
  const { visitor, brand } = request;
  const locale = chooseVisitorLocale(request);
  // Without a session there is no shop that a page could be of.
  const isInShop = visitor !== undefined && brand !== undefined;
  const session = isInShop ? { locale, visitor, brand } : undefined;
  const { reference } = thrown instanceof ApiError ? thrown.metadata : {};
  if (reference !== undefined && session !== undefined) {
    const retryAt = request.method === 'GET' ? request.url : '/shop';
    return renderShopFailure({ reference, retryAt }, session);
  }
  const notice = chooseNotice(thrown);
  return session === undefined ? renderNotice(notice, locale) : renderShopNotice(notice, session);
}

function chooseNotice(thrown: unknown): Notice {
  if (!(thrown instanceof ApiError)) return 'unavailable';
  switch (thrown.status) {
    case 'UNAUTHENTICATED':
      return 'noSession';
    case 'PERMISSION_DENIED':
      return thrown.reason === 'WEBSHOP_LINK_NOT_VALID' ? 'linkSpent' : 'formRefused';
    case 'NOT_FOUND':
      return 'missingItem';
    case 'INVALID_ARGUMENT':
    case 'ABORTED':
      return 'formInvalid';
    default:
      return 'unavailable';
  }
}
