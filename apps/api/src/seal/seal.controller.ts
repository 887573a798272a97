import { Controller, Get, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiExcludeEndpoint, ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import { Refuses } from '#openapi';
import { Allow } from '../auth/allow.decorator.js';
import { OfSeals } from '../auth/seal-access.js';
import {
  ProveConsistency,
  ProveConsistencyHandler,
  ReadCheckpoint,
  ReadCheckpointHandler,
  ReadTile,
  ReadTileHandler,
} from './queries/read-seals.js';
import { ConsistencyDto } from './seal.dto.js';
import { parseGrowth, parseTile } from './seal-paths.js';

/** The use cases behind the endpoints; the module provides them. */
export const SEAL_HANDLERS = [ReadCheckpointHandler, ProveConsistencyHandler, ReadTileHandler];

/** The tree of the whole ledger, for witnesses and auditors: hashes, and no event (rules/http 13). */
@ApiTags('evidence')
@Allow('operator')
@OfSeals()
@Controller('seal')
export class SealController {
  constructor(private readonly queries: QueryBus) {}

  /** The signed note of the last checkpoint (C2SP tlog-checkpoint). */
  @Get('checkpoint')
  @Refuses('NOTHING_SEALED', 'SCOPE_NOT_SUFFICIENT')
  @ApiProduces('text/plain')
  @ApiOkResponse({ schema: { type: 'string' } })
  checkpoint(): Promise<Buffer> {
    return this.queries.execute(new ReadCheckpoint({}));
  }

  /** Proves that the log of a size grew from that of an earlier one; none of them is behind the last checkpoint. */
  @Get('consistency/:from/:to')
  @Refuses('NOTHING_SEALED', 'SEAL_CHECKPOINT_NOT_FOUND', 'SCOPE_NOT_SUFFICIENT')
  consistency(@Param('from') from: string, @Param('to') to: string): Promise<ConsistencyDto> {
    return this.queries.execute(new ProveConsistency(parseGrowth({ from, to })));
  }

  /**
   * The hashes of a tile, one behind the other (C2SP tlog-tiles). Its path has several parts, which OpenAPI cannot
   * describe.
   */
  @Get('tile/*')
  @ApiExcludeEndpoint()
  tile(@Param('*') path: string): Promise<Buffer> {
    return this.queries.execute(new ReadTile({ tile: parseTile(path) }));
  }
}
