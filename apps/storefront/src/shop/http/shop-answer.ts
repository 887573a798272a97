import type { RenderedPage } from '../../pages/render-page.js';

/** The answer of an address of the shop: data to programs, and to browsers a page or a redirect (rules/webshop 2). */
export type ShopAnswer<Model extends object | null = object | null> =
  | {
      readonly kind: 'shown';
      /** Of a page, nothing of it is needed. */
      readonly model: () => Model;
      readonly render: () => RenderedPage;
    }
  | {
      readonly kind: 'changed';
      /** Null where there is nothing to tell. */
      readonly model: Model;
      /** The page that shows the effect, or a page of the checkout. */
      readonly leadsTo: string;
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'noted' };

/** Something to look at. */
export function shown<Model extends object>(
  model: () => Model,
  render: () => RenderedPage,
): ShopAnswer<Model> {
  return { kind: 'shown', model, render };
}

/** Something was changed, or was so already. */
export function changed<Model extends object | null>(
  model: Model,
  leadsTo: string,
  headers: Readonly<Record<string, string>> = {},
): ShopAnswer<Model> {
  return { kind: 'changed', model, leadsTo, headers };
}

/** Something was recorded, of which no page shows anything. */
export const NOTED: ShopAnswer<null> = { kind: 'noted' };
