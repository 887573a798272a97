import { Body, Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { PostOk } from '#nest';
import { Refuses } from '#openapi';
import { Allow } from '../../auth/allow.decorator.js';
import { ConsistentDirectoryRead } from '../../http/consistency.guard.js';
import {
  CatalogFailureListDto,
  CatalogFailureQuery,
  CatalogTestDto,
  TestCatalogBody,
} from './catalog.dto.js';
import {
  ListCatalogFailures,
  ListCatalogFailuresHandler,
} from './queries/list-catalog-failures.js';
import { TestCatalog, TestCatalogHandler } from './queries/test-catalog.js';

/** The use cases behind the endpoints; the module provides them. */
export const CATALOG_HANDLERS = [ListCatalogFailuresHandler, TestCatalogHandler];

@ApiTags('management: catalog')
@Allow('operator')
@Controller('manage/apps/:appId/catalog')
export class CatalogController {
  constructor(private readonly queries: QueryBus) {}

  /** Lists the calls of the last seven days that failed for players, newest first (rules/catalog 5). */
  @Get('failures')
  failures(
    @Param('appId') appId: string,
    @Query() query: CatalogFailureQuery,
  ): Promise<CatalogFailureListDto> {
    return this.queries.execute(new ListCatalogFailures({ appId, query }));
  }

  /** Asks for the catalog of a player, now, and shows the request, the answer and its errors. */
  @PostOk('test')
  @Refuses('CATALOG_NOT_CONFIGURED')
  @ConsistentDirectoryRead()
  test(@Param('appId') appId: string, @Body() body: TestCatalogBody): Promise<CatalogTestDto> {
    return this.queries.execute(new TestCatalog({ appId, asked: body }));
  }
}
