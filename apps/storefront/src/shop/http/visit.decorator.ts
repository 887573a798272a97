import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { CommandSource } from '#nest';
import { assertDefect } from '#platform';
import type { PageLocale } from '../../languages/page-locale.js';
import type { Visitor } from '../session/visitor.js';
import { chooseVisitorLocale } from './visitor-locale.js';
import type { StateLoader } from '../player-states.js';

/** A request of a player in the shop. */
export interface Visit {
  readonly visitor: Visitor;
  /** The visitor's states as of the request. */
  readonly states: StateLoader;
  readonly locale: PageLocale;
  readonly pageLanguage: string;
  readonly source: CommandSource;
  /** Where it came from; of a proxy that is trusted, the one it names. */
  readonly address: string;
}

/** Hands a controller of the shop the player's visit. */
export const Visit = createParamDecorator((_options: unknown, context: ExecutionContext): Visit =>
  readVisit(context.switchToHttp().getRequest<FastifyRequest>()),
);

/** The visit of a request that was admitted. */
function readVisit(request: FastifyRequest): Visit {
  const { visitor, states, origin: { address } = { address: '' } } = request;
  const isAdmitted = visitor !== undefined && states !== undefined;
  assertDefect(isAdmitted, 'a route of the shop without its session');
  const locale = chooseVisitorLocale(request);
  return { visitor, states, locale, pageLanguage: locale.language, source: request, address };
}
