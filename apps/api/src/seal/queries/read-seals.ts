import { Inject, Injectable } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { LedgerStore } from '#event-store';
import { answer, EVENT_STORE, queryWith } from '#nest';
import { ApiError, notFound } from '#nest/errors';
import { proveConsistency, TILE_WIDTH, type Tile, tilePath } from '#seal';
import { type FoundCheckpoint, SealReader } from '#sealing';
import type { ApiConfig } from '../../config.js';
import { CONFIG } from '../../tokens.js';
import type { ConsistencyDto } from '../seal.dto.js';
import type { Growth } from '../seal-paths.js';

/** A tree only grows: each of its tiles is the same bytes for good. */
const FOR_GOOD = 'max-age=31536000, immutable';

/** The seals of the ledger, as far as its last checkpoint attests them. */
@Injectable()
export class AttestedSeals {
  readonly reader: SealReader;

  constructor(@Inject(EVENT_STORE) store: LedgerStore) {
    this.reader = new SealReader(store);
  }

  /** @throws ApiError 5 while nothing is sealed; Fault of the store. */
  async requireLast(): Promise<FoundCheckpoint> {
    const found = await this.reader.findLast();
    if (found !== undefined) return found;
    throw new ApiError('NOT_FOUND', {
      reason: 'NOTHING_SEALED',
      message: 'Nothing of this ledger has been sealed yet: it has no checkpoint.',
    });
  }
}

/** The note of the last checkpoint (rules/http 13). */
export class ReadCheckpoint extends queryWith<object, Buffer>() {}

@QueryHandler(ReadCheckpoint)
export class ReadCheckpointHandler implements IQueryHandler<ReadCheckpoint> {
  constructor(private readonly seals: AttestedSeals) {}

  async execute(): Promise<Buffer> {
    const { checkpoint } = await this.seals.requireLast();
    const headers = { 'content-type': 'text/plain; charset=utf-8' };
    return answer(Buffer.from(checkpoint.note), { headers });
  }
}

/** Whether the later of two trees grew from the earlier one (rules/http 13). */
export class ProveConsistency extends queryWith<Growth, ConsistencyDto>() {}

@QueryHandler(ProveConsistency)
export class ProveConsistencyHandler implements IQueryHandler<ProveConsistency> {
  constructor(private readonly seals: AttestedSeals) {}

  async execute({ from, to }: ProveConsistency): Promise<ConsistencyDto> {
    const last = await this.seals.requireLast();
    if (to > last.checkpoint.size) throw notFound('seal checkpoint', String(to), 'size');
    const hashes = await proveConsistency(from, to, this.seals.reader.readHashes(last));
    return { from, to, hashes: hashes.map((hash) => hash.toString('base64')) };
  }
}

/** The hashes of a tile (rules/http 13). */
export class ReadTile extends queryWith<{ tile: Tile }, Buffer>() {}

@QueryHandler(ReadTile)
export class ReadTileHandler implements IQueryHandler<ReadTile> {
  constructor(
    private readonly seals: AttestedSeals,
    @Inject(CONFIG) private readonly config: Pick<ApiConfig, 'sealPublic'>,
  ) {}

  async execute({ tile }: ReadTile): Promise<Buffer> {
    const { checkpoint } = await this.seals.requireLast();
    if (tile.width > attestedWidth(tile, checkpoint.size)) {
      throw notFound('seal tile', tilePath(tile), 'path');
    }
    const hashes = await this.seals.reader.readTile(tile, checkpoint);
    const headers = {
      'content-type': 'application/octet-stream',
      'cache-control': `${this.config.sealPublic ? 'public' : 'private'}, ${FOR_GOOD}`,
    };
    return answer(hashes, { headers });
  }
}

/** How many hashes a tree has in the place of a tile: those behind it may still become others. */
function attestedWidth({ level, index }: Tile, size: number): number {
  return Math.floor(size / TILE_WIDTH ** level) - index * TILE_WIDTH;
}
