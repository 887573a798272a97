import { deepEqual } from 'fast-equals';
import type { AppEvent, Brand } from './app.events.js';

/** Sets the studio's brand on pages (rules/storefront 8); no event where it is the present one. */
export function decideBrand(wanted: Brand, present: Brand | null): readonly AppEvent[] {
  return deepEqual(wanted, present) ? [] : [{ type: 'app.brand_set.v1', data: wanted }];
}
