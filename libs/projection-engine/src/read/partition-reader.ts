import DataLoader from 'dataloader';
import { fromMilliseconds, toMilliseconds } from '#domain/calendar';
import { loadScript, type Redis, redisReply } from '#redis';
import { decodeCheckpoint, requireBuilt } from '../stored/checkpoint.js';
import type { DocumentPageOptions, IndexName, ScoredMember, TimeRange } from '../define/index.js';
import { DOCUMENTS_AT_ONCE } from '../limits.js';
import type { GenerationKeys, PartitionKeys } from '../stored/keys.js';
import type { StoredPage } from './page-decoder.js';

const readDocuments = loadScript(new URL('../lua/read-documents-2.lua', import.meta.url));
const pageOfDocuments = loadScript(new URL('../lua/page-of-documents-n.lua', import.meta.url));

/**
 * Reads one read model in one partition. It knows which generation answered last and asks that one in the
 * same round trip in which it reads the checkpoint; when another one answers by now, it asks again.
 *
 * All calls throw Fault `unavailable`: while there is none that answers, and when Redis is out of reach.
 */
export class PartitionReader {
  /** The generation that answered last, and its checkpoint. One object, since reads that are under way keep theirs. */
  #known: Answering;
  /** Requests that began together ask together: the cost of a command is paid once for all of them. */
  readonly #documents = new DataLoader<string, string | null>((ids) => this.#findAll(ids), {
    cache: false,
    maxBatchSize: DOCUMENTS_AT_ONCE,
  });

  constructor(
    private readonly redis: Redis,
    private readonly keys: PartitionKeys,
  ) {
    this.#known = { checkpoint: '', epoch: '', generation: keys.generation('') };
  }

  /** A document as it is stored; null when there is none. */
  find(id: string): Promise<string | null> {
    return this.#documents.load(id);
  }

  /**
   * The next documents of a list, or of several that share none, newest first; and one more than is asked
   * for, if there is one.
   *
   * @param known the checkpoint at which the caller read the same page before: if the answer has the same,
   *   the page is the same, and nothing else is read.
   */
  page(
    indexes: readonly IndexName[],
    { limit, after }: Pick<DocumentPageOptions, 'limit' | 'after'>,
    known = '',
  ): Promise<StoredPage> {
    const highest = after === undefined ? '+' : `(${after}`;
    return this.#read(
      ({ documents, index }) => {
        const keys = [this.keys.checkpoint, documents, ...indexes.map(index)];
        return pageOfDocuments(this.redis, keys, [highest, String(limit + 1), known]);
      },
      ([checkpoint, members, documents]) => ({
        checkpoint: checkpoint ?? '',
        members: members ?? '[]',
        documents: documents ?? '[]',
      }),
    );
  }

  range(index: IndexName, { from, until, limit, offset = 0 }: TimeRange): Promise<ScoredMember[]> {
    const lowest = from === undefined ? '-inf' : toMilliseconds(from);
    const highest = toMilliseconds(until);
    return this.#read(
      async (generation) => {
        const key = generation.index(index);
        const [members, checkpoint] = await Promise.all([
          redisReply(
            this.redis.zrangebyscore(key, lowest, highest, 'WITHSCORES', 'LIMIT', offset, limit),
          ),
          redisReply(this.redis.get(this.keys.checkpoint)),
        ]);
        return [checkpoint, ...members];
      },
      ([, ...members]) => toScored(members),
    );
  }

  #findAll(ids: readonly string[]): Promise<readonly (string | null)[]> {
    return this.#read(
      ({ documents }) => readDocuments(this.redis, [this.keys.checkpoint, documents], ids),
      ([, ...documents]) => documents,
    );
  }

  /**
   * @param ask sends the question: the answer begins with the checkpoint, as the header of each script says.
   * @param read the answer, should the generation be the one that answers: another one may be half deleted.
   */
  async #read<T>(
    ask: (generation: GenerationKeys) => Promise<unknown>,
    read: (reply: Reply) => T,
  ): Promise<T> {
    for (;;) {
      const asked = this.#known;
      const reply = (await ask(asked.generation)) as Reply;
      const { epoch } = this.#know(reply[0]);
      if (epoch === asked.epoch) return read(reply);
    }
  }

  /** The parsed checkpoint; the last one is remembered, since most answers have the same. */
  #know(checkpoint: string | null | undefined): Answering {
    if (checkpoint === this.#known.checkpoint) return this.#known;
    const { epoch } = requireBuilt(decodeCheckpoint(checkpoint));
    const { generation } =
      epoch === this.#known.epoch ? this.#known : { generation: this.keys.generation(epoch) };
    this.#known = { checkpoint: checkpoint ?? '', epoch, generation };
    return this.#known;
  }
}

/** The generation that answers, as a checkpoint has told it. */
interface Answering {
  readonly checkpoint: string;
  readonly epoch: string;
  readonly generation: GenerationKeys;
}

/** The checkpoint, and the answer. */
type Reply = readonly [checkpoint: string | null, ...rest: (string | null)[]];

function toScored(reply: readonly (string | null)[]): ScoredMember[] {
  const members: ScoredMember[] = [];
  for (let at = 0; at < reply.length; at += 2) {
    members.push({ member: reply[at] ?? '', at: fromMilliseconds(Number(reply[at + 1])) });
  }
  return members;
}
