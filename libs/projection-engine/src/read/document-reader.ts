import { readPlayerBucket } from '#domain/ids';
import type { Partitions } from '#event-store';
import { assertDefect } from '#platform';
import type { Redis } from '#redis';
import type {
  Document,
  DocumentKey,
  DocumentPage,
  DocumentPageOptions,
  DocumentReads,
  IndexName,
  Projection,
  ScoredMember,
  TimeRange,
  Whereabouts,
} from '../define/index.js';
import { decodeDocument } from '../stored/document.js';
import { keyedId, playersId } from '../stored/document-id.js';
import type { ReadModel } from '../stored/keys.js';
import { cutPage, type ListedDocument, PageDecoder } from './page-decoder.js';
import { PartitionReader } from './partition-reader.js';

/** Reads a read model over all of its partitions; see `DocumentReads`. */
export class DocumentReader<State> implements DocumentReads<State> {
  readonly #readers: readonly PartitionReader[];
  readonly #pages: PageDecoder<State>;

  constructor(
    redis: Redis,
    private readonly projection: Projection<State>,
    readModel: ReadModel,
    private readonly partitions: Partitions,
  ) {
    this.#pages = new PageDecoder(projection);
    this.#readers = readModel.partitions.map((keys) => new PartitionReader(redis, keys));
  }

  async find(id: string): Promise<Document<State> | undefined> {
    return this.#decode(id, await this.#at(this.partitions.find(id)).find(id));
  }

  async findForPlayer(player: string, key: DocumentKey): Promise<Document<State> | undefined> {
    const id = playersId(player, key);
    return this.#decode(id, await this.#forPlayer(player).find(id));
  }

  async findByKey(key: DocumentKey): Promise<State | undefined> {
    const { documents } = this.projection;
    assertDefect(documents.of === 'key', `${this.projection.name} has no documents by key`);
    const id = keyedId(key);
    const parts = await Promise.all(this.#readers.map((reader) => reader.find(id)));
    const states = parts.flatMap((stored) => this.#decode(id, stored)?.state ?? []);
    return states.length === 0 ? undefined : documents.merge(states);
  }

  async page(
    indexes: readonly IndexName[],
    where: Whereabouts,
    options: DocumentPageOptions,
  ): Promise<DocumentPage<State>> {
    const readers = this.#readersFor(where);
    const [first] = readers;
    if (first !== undefined && readers.length === 1)
      return this.#pageIn(first, indexes, where, options);
    const parts = await Promise.all(readers.map((reader) => reader.page(indexes, options)));
    const listed = parts.flatMap((stored) => this.#pages.decode(stored)).sort(byMemberDescending);
    return cutPage(listed, options.limit);
  }

  /** A page of one partition: only such a one is remembered. */
  async #pageIn(
    reader: PartitionReader,
    indexes: readonly IndexName[],
    where: Whereabouts,
    options: DocumentPageOptions,
  ): Promise<DocumentPage<State>> {
    const { limit, after, isRemembered } = options;
    if (isRemembered !== true) {
      return cutPage(this.#pages.decode(await reader.page(indexes, options)), limit);
    }
    const name = JSON.stringify([where, indexes, limit, after]);
    const known = this.#pages.recall(name);
    const stored = await reader.page(indexes, options, known?.checkpoint);
    if (stored.checkpoint === known?.checkpoint) return known.page;
    return this.#pages.remember(name, stored, limit);
  }

  async range(index: IndexName, range: TimeRange): Promise<ScoredMember[]> {
    const { partition, limit, offset = 0 } = range;
    if (partition !== undefined) return this.#at(partition).range(index, range);
    // Which of a part's members are behind the offset is known only when all parts are merged.
    const whole = { ...range, offset: 0, limit: offset + limit };
    const parts = await Promise.all(this.#readers.map((reader) => reader.range(index, whole)));
    return parts
      .flat()
      .sort(byTime)
      .slice(offset, offset + limit);
  }

  #decode(id: string, stored: string | null): Document<State> | undefined {
    return stored === null ? undefined : decodeDocument(this.projection, id, stored);
  }

  #readersFor(where: Whereabouts): readonly PartitionReader[] {
    if (where === 'everywhere') return this.#readers;
    if ('id' in where) return [this.#at(this.partitions.find(where.id))];
    return [this.#forPlayer(where.player)];
  }

  #forPlayer(player: string): PartitionReader {
    return this.#at(this.partitions.findForBucket(readPlayerBucket(player)));
  }

  #at(partition: number): PartitionReader {
    const reader = this.#readers[partition];
    if (reader === undefined) throw new RangeError(`there is no partition ${partition}`);
    return reader;
  }
}

function byMemberDescending(left: ListedDocument<unknown>, right: ListedDocument<unknown>): number {
  if (left.member === right.member) return 0;
  return left.member < right.member ? 1 : -1;
}

function byTime(left: ScoredMember, right: ScoredMember): number {
  if (left.at === right.at) return 0;
  return left.at < right.at ? -1 : 1;
}
