import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  CHECKOUT_LINK_LIFETIME_MS,
  type CheckoutLinkCommand,
  type Offer,
  checkoutLinkAggregate,
} from '#domain/checkout-link';
import type { Position } from '#domain/event';
import { readPlayerBucket } from '#domain/ids';
import { type CommandContext, commandWith, findPlanError, invalidFields, Ledger } from '#nest';
import { type Creation, Creations } from '../../commands/creations.js';
import { PlayerLinks, Players } from '../../commands/player-links.js';
import type { CheckoutLinkDto, CreateCheckoutLinkBody } from '../checkout-link.dto.js';
import { CheckoutOffers } from '../checkout-offers.js';
import { checkoutLinkViolations } from '../link-rules.js';

/** Makes a link to a page where one player buys one plan, once, within 24 hours (rules/payments 10). */
export class CreateCheckoutLink extends commandWith<
  { link: CreateCheckoutLinkBody; context: CommandContext },
  CheckoutLinkDto
>() {}

type NewLink = Extract<CheckoutLinkCommand, { kind: 'CreateCheckoutLink' }>['link'];

@CommandHandler(CreateCheckoutLink)
export class CreateCheckoutLinkHandler implements ICommandHandler<CreateCheckoutLink> {
  constructor(
    private readonly ledger: Ledger,
    private readonly creations: Creations,
    private readonly players: Players,
    private readonly offers: CheckoutOffers,
    private readonly links: PlayerLinks,
  ) {}

  async execute({ link: body, context: keyed }: CreateCheckoutLink): Promise<CheckoutLinkDto> {
    const violations = checkoutLinkViolations(body, keyed.environment);
    if (violations.length > 0) throw invalidFields(violations);
    const player = await this.players.find(keyed.appId, body.user.id);
    const bucket = readPlayerBucket(player);
    const repeated = await this.creations.repeated('cl', keyed, bucket);
    const made = repeated && (await this.creationPosition(repeated.id));
    if (repeated && made) return this.answer(repeated, made);
    await this.links.requireGateway(keyed.appId);
    const offer = await this.offers.find(keyed.appId, body, keyed.now);
    const refusal = await findPlanError(this.ledger, { player, offer });
    if (refusal !== undefined) throw refusal;
    const creation = repeated ?? (await this.creations.begin('cl', keyed, bucket));
    const about = { ...creation.context, player };
    const personal = await this.players.seal(about, body.user.id, body);
    const link = { ...this.link(creation, body, offer), player, personal };
    const { position } = await this.make(link, about);
    return this.answer(creation, position);
  }

  /** One that is there after all, of a request before, is found by the conflict. */
  private make(link: NewLink, context: CommandContext) {
    const command = { kind: 'CreateCheckoutLink', link } as const;
    const options = { isNew: true };
    return this.ledger.execute(checkoutLinkAggregate, link.linkId, command, context, options);
  }

  private link({ id, at, context }: Creation, body: CreateCheckoutLinkBody, offer: Offer) {
    return {
      linkId: id,
      appId: context.appId,
      offer,
      regionCode: body.regionCode ?? '',
      language: body.language ?? '',
      returnUrl: body.returnUrl ?? '',
      createdAt: at,
      expiresAt: this.links.expiryAfter(CHECKOUT_LINK_LIFETIME_MS),
    };
  }

  private answer({ id, isRepeated }: Creation, position: Position | null): CheckoutLinkDto {
    return this.links.answer(id, position, isRepeated);
  }

  /** The position of a link's creation; null when a crash came before it. */
  private async creationPosition(linkId: string): Promise<Position | null> {
    const { position } = await this.ledger.load(checkoutLinkAggregate, linkId, { toRevision: 0 });
    return position;
  }
}
