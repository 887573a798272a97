import { Inject, Injectable } from '@nestjs/common';
import type { Catalog, CatalogItem } from '#domain/catalog';
import type { CatalogClient } from '#catalog';
import { catalogUnavailable, CLOCK } from '#nest';
import type { Clock } from '#platform';
import { CATALOGS } from '../../tokens.js';
import type { Visitor } from '../session/visitor.js';
import { isOver, listCurrent } from './current-rows.js';
import { itemUnavailable } from '../http/shop-refusals.js';

/** Whose catalog is looked at, and in which language. */
export interface CatalogReader {
  readonly visitor: Pick<Visitor, 'appId' | 'accountId' | 'language'>;
  /** Of the page, where the link into the shop named none. */
  readonly pageLanguage: string;
}

/** The items that a player can buy, by the studio's catalog. */
@Injectable()
export class PlayerCatalogs {
  constructor(
    @Inject(CATALOGS) private readonly catalogs: Pick<CatalogClient, 'fetch'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * @param fresh for checkouts and claims; pages may show an answer of some seconds ago.
   * @throws ApiError 14 CATALOG_UNAVAILABLE with the reference of the failure.
   */
  async read(reader: CatalogReader, fresh = false): Promise<Catalog> {
    const { appId, accountId: playerId } = reader.visitor;
    const language = chooseCatalogLanguage(reader);
    const result = await this.catalogs.fetch({ appId, playerId, language, fresh });
    if (!result.ok) throw catalogUnavailable(result.failure.reference);
    return result.catalog;
  }

  /** @throws ApiError 9 ITEM_UNAVAILABLE where the catalog has no such item, or not any more; as `read`. */
  async requireItem(reader: CatalogReader, itemId: string, fresh = false): Promise<CatalogItem> {
    const item = findItem(await this.read(reader, fresh), itemId);
    if (item === undefined || this.hasExpired(item)) {
      throw itemUnavailable(itemId);
    }
    return item;
  }

  /** The items by their ids, asked for anew. @throws as `read`. */
  async index(reader: CatalogReader): Promise<ReadonlyMap<string, CatalogItem>> {
    return indexItems(await this.read(reader, true));
  }

  /** The rows without expired items. @throws as `read`. */
  async readRows(reader: CatalogReader): Promise<Catalog['rows']> {
    const { rows } = await this.read(reader);
    return listCurrent(rows, this.clock.now());
  }

  /** A catalog may go on telling of an offer that is over; its times are those of the wall clock. */
  hasExpired(item: Pick<CatalogItem, 'expiresAt'>): boolean {
    return isOver(item, this.clock.now());
  }
}

/** In which a catalog is asked for: as the link into the shop said, else as its page speaks (rules/catalog 2). */
export function chooseCatalogLanguage({ visitor, pageLanguage }: CatalogReader): string {
  return visitor.language === '' ? pageLanguage : visitor.language;
}

/** The items of a catalog by their ids. */
export function indexItems({ rows }: Catalog): ReadonlyMap<string, CatalogItem> {
  return new Map(rows.flatMap(({ items }) => items).map((item) => [item.id, item]));
}

function findItem(catalog: Catalog, itemId: string): CatalogItem | undefined {
  return indexItems(catalog).get(itemId);
}
