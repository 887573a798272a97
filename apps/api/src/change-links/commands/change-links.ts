import { Injectable } from '@nestjs/common';
import {
  CHECKOUT_LINK_LIFETIME_MS,
  checkoutLinkAggregate,
  type LinkedChange,
  type Offer,
} from '#domain/checkout-link';
import type { StartedSubscription } from '#domain/subscription';
import { Ledger } from '#nest';
import type { Creation } from '../../commands/creations.js';
import { PlayerLinks } from '../../commands/player-links.js';
import type { ChangeLinkDto, CreateChangeLinkBody } from '../change-link.dto.js';

/** Makes links to pages where a subscription is changed (rules/payments 18). */
@Injectable()
export class ChangeLinks {
  constructor(
    private readonly ledger: Ledger,
    private readonly links: PlayerLinks,
  ) {}

  /** The answer of a creation that was made before; undefined where a crash came before its event. */
  async findMade(creation: Creation): Promise<ChangeLinkDto | undefined> {
    const first = { toRevision: 0 };
    const { position } = await this.ledger.load(checkoutLinkAggregate, creation.id, first);
    return position === null
      ? undefined
      : this.links.answer(creation.id, position, creation.isRepeated);
  }

  async make(
    creation: Creation,
    subscription: StartedSubscription,
    { body, offer, change }: { body: CreateChangeLinkBody; offer: Offer; change: LinkedChange },
  ): Promise<ChangeLinkDto> {
    const { appId, player, regionCode } = subscription;
    const link = {
      ...{ linkId: creation.id, appId, player, regionCode, offer, change },
      language: body.language ?? '',
      returnUrl: body.returnUrl ?? '',
      personal: {},
      createdAt: creation.at,
      expiresAt: this.links.expiryAfter(CHECKOUT_LINK_LIFETIME_MS),
    };
    const { position } = await this.ledger.execute(
      checkoutLinkAggregate,
      creation.id,
      { kind: 'CreateChangeLink', link },
      { ...creation.context, player },
    );
    return this.links.answer(creation.id, position, creation.isRepeated);
  }
}
