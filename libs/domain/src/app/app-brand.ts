import { deepEqual } from 'fast-equals';
import type { AppEvent, Brand } from './app.events.js';

/** What pages say of a studio from now on (rules/storefront 8); nothing, where they say it already. */
export function decideBrand(wanted: Brand, present: Brand | null): readonly AppEvent[] {
  return deepEqual(wanted, present) ? [] : [{ type: 'app.brand_set.v1', data: wanted }];
}
