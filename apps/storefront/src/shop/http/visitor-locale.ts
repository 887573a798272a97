import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { choosePageLocale, type PageLocale } from '../../languages/page-locale.js';

/** How the shop speaks to a player: as the link into it said, else as the browser likes. */
export function chooseVisitorLocale({
  visitor,
  origin,
  headers,
}: Pick<FastifyRequest, 'visitor' | 'origin' | 'headers'>): PageLocale {
  const { language: linkLanguage = '', regionCode = origin?.regionCode ?? '' } = visitor ?? {};
  const acceptLanguage = headers['accept-language'] ?? '';
  return choosePageLocale({ linkLanguage, acceptLanguage, regionCode });
}

/** Hands a controller of the shop how it speaks to the player: a `PageLocale`. */
export const VisitorLocale = createParamDecorator((_options: unknown, context: ExecutionContext) =>
  chooseVisitorLocale(context.switchToHttp().getRequest<FastifyRequest>()),
);
