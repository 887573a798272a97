import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { cartAggregate, type CartCommand } from '#domain/cart';
import type { CatalogItem } from '#domain/catalog';
import { isPositive } from '#domain/money';
import { ApiError, type CommandContext, commandWith, Ledger } from '#nest';
import type { PersonalData } from '#tenancy';
import { PERSONAL_DATA } from '../../tokens.js';
import { ItemCounts } from '../catalog/item-counts.js';
import { PlayerCatalogs } from '../catalog/player-catalogs.js';
import { type ShopForm, ShopForms, type VisitorContext, withoutKey } from '../http/shop-forms.js';
import { itemUnavailable } from '../http/shop-refusals.js';
import { type FoundCart, OpenCarts } from './open-carts.js';

/** The wanted content of the cart: pieces beside those that lie there, or so many of an item, or none. */
export interface WantedItem {
  readonly kind: 'AddItem' | 'SetItem';
  readonly itemId: string;
  readonly quantity: number;
}

/** A player puts something into the cart, or takes it out. */
export class ChangeCart extends commandWith<{ form: ShopForm; wanted: WantedItem }>() {}

/** Forms that change nothing are remembered, too, so that one sent again later changes nothing either. */
const RECORDING = { isNeeded: () => true, max: 500 };

/** How often a change goes on in the next cart: a player pays one after the other. */
const NEXT_CARTS = 2;

@CommandHandler(ChangeCart)
export class ChangeCartHandler implements ICommandHandler<ChangeCart> {
  constructor(
    private readonly ledger: Ledger,
    private readonly forms: ShopForms,
    private readonly carts: OpenCarts,
    private readonly counts: ItemCounts,
    private readonly catalogs: PlayerCatalogs,
    @Inject(PERSONAL_DATA) private readonly personalData: Pick<PersonalData, 'sealPresent'>,
  ) {}

  /** @throws ApiError 9 for an item that cannot be put there, 8 for too much at once, 14 without a catalog. */
  async execute({ form, wanted }: ChangeCart): Promise<void> {
    const { kind, itemId, quantity } = wanted;
    const context = await this.forms.accept(form, [kind, itemId, quantity]);
    for (let left = NEXT_CARTS; ; left -= 1) {
      try {
        await this.changeOpen({ form, wanted }, context);
        return;
      } catch (error) {
        const wasClosed = error instanceof ApiError && error.reason === 'CART_CLOSED';
        if (!wasClosed || left === 0) throw error;
      }
    }
  }

  /** @throws ApiError also where the cart was paid, and followed by another one, after it was found. */
  private async changeOpen(
    { form, wanted }: Pick<ChangeCart, 'form' | 'wanted'>,
    context: VisitorContext,
  ): Promise<void> {
    const found = await this.carts.find(context.player);
    // A form of before a payment, sent again, is of the cart that was paid.
    if ((await this.carts.findAnswers(found, context)).length > 0) return;
    if (wanted.quantity === 0) await this.remove(found, { form, wanted }, context);
    else await this.put(found, { form, wanted }, context);
  }

  private async remove(
    found: FoundCart,
    { form, wanted }: Pick<ChangeCart, 'form' | 'wanted'>,
    context: VisitorContext,
  ): Promise<void> {
    if (found.open === null && found.cart.items.length === 0) return;
    const open = await this.carts.require(withoutKey(context), found);
    const origin = await this.describeOrigin(form, context);
    const command = { kind: 'RemoveItem', itemId: wanted.itemId, ...origin } as const;
    await this.change(open.cartId, command, context);
  }

  private async put(
    found: FoundCart,
    { form, wanted }: Pick<ChangeCart, 'form' | 'wanted'>,
    context: VisitorContext,
  ): Promise<void> {
    const { kind, itemId, quantity } = wanted;
    const item = await this.catalogs.requireItem(form, itemId);
    // A free item is claimed, and no order is made of it.
    if (!isPositive(item.price)) throw itemUnavailable(itemId);
    const { left } = await this.counts.count(context.player, found.shop, context.now);
    const open = await this.carts.require(withoutKey(context), found);
    const origin = await this.describeOrigin(form, context);
    const terms = describeTerms(item);
    const command = { kind, terms, quantity, limit: left(item), ...origin };
    await this.change(open.cartId, command, context);
  }

  private change(cartId: string, command: CartCommand, context: CommandContext) {
    const options = { recording: RECORDING };
    return this.ledger.execute(cartAggregate, cartId, command, context, options);
  }

  private async describeOrigin({ visitor, address }: ShopForm, { now }: CommandContext) {
    const { appId, player, regionCode } = visitor;
    const personal = await this.personalData.sealPresent({ appId, player }, { ipAddress: address });
    return { regionCode, personal, now };
  }
}

function describeTerms({ id: itemId, name, image, price }: CatalogItem) {
  return { itemId, name, image, price };
}
