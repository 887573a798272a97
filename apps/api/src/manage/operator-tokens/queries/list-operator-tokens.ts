import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import {
  type OperatorToken,
  operatorTokensAggregate,
  type RevokedOperatorToken,
  unexpired,
} from '#domain/operator-tokens';
import { CLOCK, CommandContexts, Ledger, queryWith } from '#nest';
import type { Clock } from '#platform';
import type { PageQuery } from '../../../http/page.dto.js';
import { cutPage, type PageTokens } from '../../../http/page-token.js';
import { PAGE_TOKENS } from '../../../tokens.js';
import type { OperatorTokenDto, OperatorTokenListDto } from '../operator-token.dto.js';

/** A page of the tokens of an app's operators that have not expired, oldest first. */
export class ListOperatorTokens extends queryWith<
  { appId: string; page: PageQuery },
  OperatorTokenListDto
>() {}

@QueryHandler(ListOperatorTokens)
export class ListOperatorTokensHandler implements IQueryHandler<ListOperatorTokens> {
  constructor(
    private readonly contexts: CommandContexts,
    private readonly ledger: Ledger,
    @Inject(PAGE_TOKENS) private readonly pageTokens: PageTokens,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ appId, page }: ListOperatorTokens): Promise<OperatorTokenListDto> {
    await this.contexts.requireApp(appId);
    const { state } = await this.ledger.load(operatorTokensAggregate, appId);
    const { live, revoked } = unexpired(state, this.clock.now());
    const byId = ({ id }: OperatorTokenDto) => id;
    const sorted = [...live, ...revoked]
      .map(renderToken)
      .sort((a, b) => (byId(a) < byId(b) ? -1 : 1));
    const list = JSON.stringify(['operators', appId]);
    const { items, nextPageToken } = cutPage(sorted, byId, page, list, this.pageTokens);
    return { operators: items, nextPageToken };
  }
}

function renderToken(token: OperatorToken | RevokedOperatorToken): OperatorTokenDto {
  const { tokenId, name, roles, issuedBy, issuedAt, expiresAt } = token;
  return {
    id: tokenId,
    name,
    roles: [...roles],
    issuedBy,
    createdAt: issuedAt,
    expiresAt,
    revokedAt: 'revokedAt' in token ? token.revokedAt : '',
  };
}
