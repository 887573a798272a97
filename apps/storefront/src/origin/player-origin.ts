/**
 * The origin of a player's request (rules/http 12): headers of a trusted proxy are believed, and those of no other
 * caller.
 */
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CreatedApp } from '#domain/app';
import { isRegion } from '#domain/pricing';
import { assertDefect, parseAddress, type TrustedProxies } from '#platform';

/**
 * The region of a player, for tax and prices: as the studio's link says, else as a trusted proxy does, else the app's
 * own; empty where nothing is known (rules/storefront 10).
 */
export function chooseRegion(
  ofLink: string,
  origin: Pick<PlayerOrigin, 'regionCode'> | undefined,
  { defaultRegionCode }: Pick<CreatedApp, 'defaultRegionCode'>,
): string {
  return ofLink || origin?.regionCode || defaultRegionCode;
}

/** Of one request. */
export interface PlayerOrigin {
  /** The player's IP address. */
  readonly address: string;
  /** The region that a trusted proxy names, `DE` or `US-CA`; empty where none does. */
  readonly regionCode: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    origin?: PlayerOrigin;
  }
}

/** The trusted proxies and their headers. */
export interface OriginSettings {
  readonly trustedProxies: TrustedProxies;
  /** In lower case. */
  readonly countryHeader: string | undefined;
}

/** Notes of each request where it came from, before anything asks. */
export function noteOrigins(fastify: FastifyInstance, settings: OriginSettings): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    request.origin = readOrigin(request, settings);
    done();
  });
}

/** @param request whose `ips` are those of its proxies, the nearest first, as far as they are trusted. */
function readOrigin(
  { ip, ips, socket, headers }: Pick<FastifyRequest, 'ip' | 'ips' | 'headers' | 'socket'>,
  { trustedProxies, countryHeader }: OriginSettings,
): PlayerOrigin {
  // A proxy that knows no address writes a word, such as `unknown`: then the address is its own.
  const known = (ips ?? [ip]).map(parseAddress).filter((address) => address !== undefined);
  const address = known.at(-1) ?? '';
  const isBelieved = trustedProxies.has(socket.remoteAddress ?? '');
  const told = countryHeader === undefined || !isBelieved ? undefined : headers[countryHeader];
  // Proxies have codes of their own for places that are no country: XX, T1.
  const regionCode = typeof told === 'string' && isRegion(told) ? told : '';
  return { address, regionCode };
}

/** Hands a controller where the player's request came from: a `PlayerOrigin`. */
export const CameFrom = createParamDecorator(
  (_options: unknown, context: ExecutionContext): PlayerOrigin => {
    const { origin } = context.switchToHttp().getRequest<FastifyRequest>();
    assertDefect(origin !== undefined, 'a request without its origin');
    return origin;
  },
);
