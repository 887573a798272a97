import type { PersonalTexts } from '#domain/personal-data';
import { ApiError } from '#nest';
import type { ShopSessionReference } from '#tenancy';
import type { PageBrand } from '../../brand/page-brand.js';
import type { StateLoader } from '../player-states.js';

/** A player in the shop, as the session tells. */
export interface Visitor extends ShopSessionReference {
  readonly appId: string;
  /** The studio's own id of the player. */
  readonly accountId: string;
  /** As a tag of BCP 47; empty where the browser decides. */
  readonly language: string;
  /** The player's region; empty where nothing is known (rules/storefront 10). */
  readonly regionCode: string;
  readonly personal: Pick<PersonalTexts, 'email'>;
  /** The token in the forms of the session. */
  readonly csrf: string;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route is for players with a session (rules/webshop 1). */
    readonly isForVisitors?: true;
  }
  interface FastifyRequest {
    visitor?: Visitor;
    /** Of whom the shop is that the visitor is in. */
    brand?: PageBrand;
    /** The visitor's states, as of this request. */
    states?: StateLoader;
  }
}

/** There is no session, or none any more. */
export function noSession(): ApiError {
  return new ApiError('UNAUTHENTICATED', {
    reason: 'NO_SESSION',
    message: 'There is no session of the shop. Open the shop from the game.',
    headers: { 'www-authenticate': 'Session realm="shop"' },
  });
}
