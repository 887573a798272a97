import { Inject, Injectable } from '@nestjs/common';
import { addMilliseconds } from '#domain/calendar';
import {
  CHECKOUT_LINK_LIFETIME_MS,
  checkoutLinkAggregate,
  type LinkedChange,
  type Offer,
} from '#domain/checkout-link';
import type { Position } from '#domain/event';
import { readBucket } from '#domain/ids';
import type { StartedSubscription } from '#domain/subscription';
import { answer, CLOCK, Ledger } from '#nest';
import type { Clock } from '#platform';
import type { Creation } from '../../commands/creations.js';
import type { ApiConfig } from '../../config.js';
import { CONFIG } from '../../tokens.js';
import type { ChangeLinkDto, CreateChangeLinkBody } from '../change-link.dto.js';

/** Makes links to pages where a subscription is changed (rules/payments 18). */
@Injectable()
export class ChangeLinks {
  constructor(
    private readonly ledger: Ledger,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: ApiConfig,
  ) {}

  /** The answer of a creation that was made before; undefined where a crash came before its event. */
  async findMade(creation: Creation): Promise<ChangeLinkDto | undefined> {
    const first = { toRevision: 0 };
    const { position } = await this.ledger.load(checkoutLinkAggregate, creation.id, first);
    return position === null ? undefined : this.answer(creation, position);
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
      expiresAt: addMilliseconds(this.clock.now(), CHECKOUT_LINK_LIFETIME_MS),
    };
    const { position } = await this.ledger.execute(
      checkoutLinkAggregate,
      creation.id,
      { kind: 'CreateChangeLink', link },
      { ...creation.context, player },
      { what: 'checkout link' },
    );
    return this.answer(creation, position);
  }

  private answer({ id, isRepeated }: Creation, position: Position | null): ChangeLinkDto {
    const url = `${this.config.storefrontUrl}/checkout/${id}`;
    return answer({ id, url }, { position, bucket: readBucket(id), replayed: isRepeated });
  }
}
