import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { readPlayerBucket } from '#domain/ids';
import { nameRegistration, playerAggregate } from '#domain/player';
import {
  findSession,
  SHOP_LINK_LIFETIME_MS,
  type ShopSession,
  shopSessionAggregate,
} from '#domain/shop-session';
import type { LedgerStore } from '#event-store';
import { answer, type CommandContext, commandWith, EVENT_STORE, Ledger } from '#nest';
import { Fault } from '#platform';
import { SHOP_SESSION_LIFETIME, type ShopTokens } from '#tenancy';
import { type Creation, Creations } from '../../commands/creations.js';
import { PlayerLinks, Players } from '../../commands/player-links.js';
import { SHOP_TOKENS } from '../../tokens.js';
import type { CreateWebshopLinkBody, WebshopLinkDto } from '../webshop-link.dto.js';

/** Makes a link that opens the webshop for one player, once, within five minutes (rules/webshop 1). */
export class CreateWebshopLink extends commandWith<
  { link: CreateWebshopLinkBody; context: CommandContext },
  WebshopLinkDto
>() {}

@CommandHandler(CreateWebshopLink)
export class CreateWebshopLinkHandler implements ICommandHandler<CreateWebshopLink> {
  constructor(
    private readonly ledger: Ledger,
    private readonly creations: Creations,
    private readonly players: Players,
    private readonly links: PlayerLinks,
    @Inject(SHOP_TOKENS) private readonly tokens: ShopTokens,
    @Inject(EVENT_STORE) private readonly store: Pick<LedgerStore, 'lifetimes'>,
  ) {}

  async execute({ link: body, context: keyed }: CreateWebshopLink): Promise<WebshopLinkDto> {
    const player = await this.players.find(keyed.appId, body.user.id);
    const creation = await this.creations.begin('ws', keyed, readPlayerBucket(player));
    const known = creation.isRepeated ? await this.findLink(player, creation.id) : undefined;
    const { linkExpiresAt } = known ?? (await this.make(player, creation, body));
    const token = this.tokens.createLinkToken({ player, sessionId: creation.id });
    const shown = { url: this.links.shopUrl(token), expiresAt: linkExpiresAt };
    return answer(shown, { replayed: creation.isRepeated });
  }

  /** Undefined where a crash came before it, or the week is over for which it is known. */
  private async findLink(player: string, sessionId: string): Promise<ShopSession | undefined> {
    return findSession((await this.ledger.load(shopSessionAggregate, player)).state, sessionId);
  }

  private async make(player: string, { id, at, context }: Creation, body: CreateWebshopLinkBody) {
    const about = { ...context, player };
    const { id: accountId, email } = body.user;
    const personal = await this.players.seal(about, accountId, { email });
    const { state: owner } = await this.ledger.load(playerAggregate, player);
    if (owner.status !== 'registered') throw erasedMeanwhile();
    await this.store.lifetimes.limit(
      `${shopSessionAggregate.category}-${player}`,
      SHOP_SESSION_LIFETIME,
    );
    const link = {
      ...{ sessionId: id, appId: context.appId, player, personal },
      registration: nameRegistration(owner),
      language: body.language ?? '',
      regionCode: body.regionCode ?? '',
      linkExpiresAt: this.links.expiryAfter(SHOP_LINK_LIFETIME_MS),
    };
    const command = { kind: 'LinkSession', link, now: at } as const;
    await this.ledger.execute(shopSessionAggregate, player, command, about);
    return link;
  }
}

/** The player was erased in this very moment; asked once more, the link is of one who came back. */
function erasedMeanwhile(): Fault {
  return new Fault('conflict', 'the player was erased meanwhile', { retryable: true });
}
