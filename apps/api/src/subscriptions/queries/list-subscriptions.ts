import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { AppCaller } from '#nest';
import type { ReadModels } from '#projection-engine';
import { subscriptions } from '#projections';
import { renderSubscription } from '#representations';
import type { PersonalData } from '#tenancy';
import { Players } from '../../commands/players.js';
import { nameDocumentList, type PageTokens } from '../../http/page-token.js';
import { PAGE_TOKENS, PERSONAL_DATA, READ_MODELS } from '../../tokens.js';
import type { SubscriptionListDto, SubscriptionListQuery } from '../subscription.dto.js';

/** A page of subscriptions, newest first: a player's own, or any of the app. */
export class ListSubscriptions extends Query<SubscriptionListDto> {
  constructor(
    readonly caller: AppCaller,
    readonly filters: SubscriptionListQuery,
  ) {
    super();
  }
}

@QueryHandler(ListSubscriptions)
export class ListSubscriptionsHandler implements IQueryHandler<ListSubscriptions> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(PAGE_TOKENS) private readonly pageTokens: PageTokens,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    private readonly players: Players,
  ) {}

  async execute({ caller, filters }: ListSubscriptions): Promise<SubscriptionListDto> {
    const { externalAccountId: asked, status, limit, pageToken } = filters;
    const wanted = asked === undefined ? undefined : await this.players.find(caller.appId, asked);
    const player = caller.kind === 'player' ? caller.player : wanted;
    // A player who asks for another's subscriptions gets none.
    if (wanted !== undefined && wanted !== player) return { subscriptions: [], nextPageToken: '' };
    const list = nameDocumentList(subscriptions, caller.appId, player, status);
    const after = this.pageTokens.read(list, pageToken);
    const { documents, nextAfter } = await this.readModels.ask(subscriptions).list(caller.appId, {
      limit,
      ...(player !== undefined && { player }),
      ...(status !== undefined && { status }),
      ...(after !== undefined && { after }),
    });
    const shown = await Promise.all(
      documents.map(async ({ state }) =>
        renderSubscription(state, await this.personalData.names(state)),
      ),
    );
    return {
      subscriptions: shown,
      nextPageToken: this.pageTokens.next(list, nextAfter),
    };
  }
}
