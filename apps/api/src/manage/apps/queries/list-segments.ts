import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { CommandContexts } from '#nest';
import type { PageQuery } from '../../../http/page.dto.js';
import { cutPage } from '../../../http/page.js';
import type { PageTokens } from '../../../http/page-token.js';
import { PAGE_TOKENS } from '../../../tokens.js';
import type { SegmentDto, SegmentListDto } from '../app.dto.js';

/** A page of the segments of an app. */
export class ListSegments extends Query<SegmentListDto> {
  constructor(
    readonly appId: string,
    readonly page: PageQuery,
  ) {
    super();
  }
}

@QueryHandler(ListSegments)
export class ListSegmentsHandler implements IQueryHandler<ListSegments> {
  constructor(
    private readonly contexts: CommandContexts,
    @Inject(PAGE_TOKENS) private readonly pageTokens: PageTokens,
  ) {}

  async execute({ appId, page }: ListSegments): Promise<SegmentListDto> {
    const { segments } = await this.contexts.requireApp(appId);
    const sorted = [...segments].sort((a, b) => (a.segmentId < b.segmentId ? -1 : 1));
    const list = JSON.stringify(['segments', appId]);
    const byId = ({ segmentId }: SegmentDto) => segmentId;
    const { items, nextPageToken } = cutPage(sorted, byId, page, list, this.pageTokens);
    return { segments: items, nextPageToken };
  }
}
