import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { addVary } from '#nest';
import type { Log } from '#platform';
import { setPageHeaders } from '../../http/send-page.js';
import { wantsJson } from '../../http/wants-json.js';
import { answerShopError } from './shop-error.filter.js';
import { readVisit } from '../http/visit.decorator.js';
import { renderShopPage } from '../pages/render-shop-page.js';
import { ShowShop, type ShowShopHandler } from '../browse/show-shop.js';

const PATH = '/shop';

/**
 * Answers browsers with the page of the shop itself, which players look at most, and of which what Nest does around a
 * handler was a seventh (decision 0150). The hooks of the program stand before it as before all routes. All other
 * requests of the route go on to the controller.
 */
export function answerShopPages(
  fastify: FastifyInstance,
  findShop: () => Pick<ShowShopHandler, 'execute'>,
  log: Log,
): void {
  fastify.addHook('onRoute', (route) => {
    if (route.url !== PATH || route.method !== 'GET') return;
    const { handler } = route;
    const shop = findShop();
    const answer: RouteHandlerMethod = function (request, reply) {
      if (!isPlainLook(request)) return handler.call(this, request, reply);
      return showPage(shop, request, reply, log);
    };
    route.handler = answer;
  });
}

/** By a browser, and without a refusal to be shown. */
function isPlainLook(request: FastifyRequest): boolean {
  return request.url === PATH && !wantsJson(request);
}

async function showPage(
  shop: Pick<ShowShopHandler, 'execute'>,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Log,
): Promise<FastifyReply> {
  try {
    const visit = readVisit(request);
    const { visitor, locale } = visit;
    const view = await shop.execute(new ShowShop(visit));
    const { html, ...page } = renderShopPage({ ...view, visitor, locale });
    setPageHeaders(reply, page);
    addVary(reply, 'accept');
    await reply.send(html);
  } catch (error) {
    answerShopError(error, request, reply, log);
  }
  return reply;
}
