import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isPositive } from '#domain/money';
import { shopAggregate } from '#domain/shop';
import { commandWith, Ledger } from '#nest';
import type { PersonalData } from '#tenancy';
import { PERSONAL_DATA } from '../../tokens.js';
import { type ShopForm, ShopForms } from '../http/shop-forms.js';
import { itemUnavailable } from '../http/shop-refusals.js';
import { ItemCounts } from '../catalog/item-counts.js';
import { PlayerCatalogs } from '../catalog/player-catalogs.js';

/** A player takes an item that costs nothing. The same claim again is answered alike (rules/webshop 6). */
export class ClaimItem extends commandWith<{
  /** Its id is the claim's. */
  form: ShopForm;
  itemId: string;
}>() {}

@CommandHandler(ClaimItem)
export class ClaimItemHandler implements ICommandHandler<ClaimItem> {
  constructor(
    private readonly ledger: Ledger,
    private readonly forms: ShopForms,
    private readonly counts: ItemCounts,
    private readonly catalogs: PlayerCatalogs,
    @Inject(PERSONAL_DATA) private readonly personalData: Pick<PersonalData, 'sealPresent'>,
  ) {}

  /** @throws ApiError 9 for an item that cannot be claimed, or not any more, 14 without a catalog. */
  async execute({ form, itemId }: ClaimItem): Promise<void> {
    const { visitor, formId: claimId, address } = form;
    const { appId, player } = visitor;
    const context = await this.forms.accept(form, ['claim', itemId]);
    // The catalog may say by now that the player has it, and the claim is answered as it was.
    const before = await this.ledger.answerBefore(shopAggregate, player, context);
    if (before !== undefined) return;
    const item = await this.catalogs.requireItem(form, itemId, true);
    if (isPositive(item.price)) throw itemUnavailable(itemId);
    const { state: shop } = await this.ledger.load(shopAggregate, player);
    const { counted } = await this.counts.count(player, shop, context.now);
    const personal = await this.personalData.sealPresent({ appId, player }, { ipAddress: address });
    const { maxPurchasable } = item;
    const command = { kind: 'ClaimItem', claimId, itemId, maxPurchasable, personal } as const;
    await this.ledger.execute(shopAggregate, player, { ...command, ...counted }, context);
  }
}
