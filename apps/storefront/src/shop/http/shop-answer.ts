import type { RenderedPage } from '../../pages/render-page.js';

/** What an address of the shop answers: data to programs, and to browsers a page, or where to go (rules/webshop 2). */
export type ShopAnswer =
  | {
      readonly kind: 'shown';
      /** Of a page, nothing of it is needed. */
      readonly model: () => object;
      readonly render: () => RenderedPage;
    }
  | {
      readonly kind: 'changed';
      /** Null where there is nothing to tell. */
      readonly model: object | null;
      /** The page that shows the effect, or a page of the checkout. */
      readonly leadsTo: string;
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'noted' };

/** Something to look at. */
export function shown(model: object | (() => object), render: () => RenderedPage): ShopAnswer {
  // A model is data: what is a function here takes nothing and gives one.
  const describe = typeof model === 'function' ? (model as () => object) : () => model;
  return { kind: 'shown', model: describe, render };
}

/** Something was changed, or was so already. */
export function changed(
  model: object | null,
  leadsTo: string,
  headers: Readonly<Record<string, string>> = {},
): ShopAnswer {
  return { kind: 'changed', model, leadsTo, headers };
}

/** Something was recorded, of which no page shows anything. */
export const NOTED: ShopAnswer = { kind: 'noted' };
