import { fromMilliseconds, toMilliseconds } from '#domain/calendar';
import { loadScript, type Redis, redisReply } from '#redis';
import { decodeCheckpoint, requireBuilt } from './checkpoint.js';
import type { DocumentPageOptions, IndexName, ScoredMember, TimeRange } from './define/index.js';
import type { GenerationKeys, PartitionKeys } from './keys.js';
import type { StoredPage } from './page-decoder.js';

const readDocumentScript = loadScript(new URL('./lua/read-document-2.lua', import.meta.url));
const pageOfDocuments = loadScript(new URL('./lua/page-of-documents-n.lua', import.meta.url));

/**
 * Reads one read model in one partition. It knows which generation answered last and asks that one in the
 * same round trip in which it reads the checkpoint; when another one answers by now, it asks again.
 *
 * All calls throw Fault `unavailable`: while there is none that answers, and when Redis is out of reach.
 */
export class PartitionReader {
  /** Which generation answered last, and by what. One object, since reads that are under way keep theirs. */
  #known: Answering;

  constructor(
    private readonly redis: Redis,
    private readonly keys: PartitionKeys,
  ) {
    this.#known = { checkpoint: '', epoch: '', generation: keys.generation('') };
  }

  /** A document as it is stored; null when there is none. */
  find(id: string): Promise<string | null> {
    return this.#read(async ({ documents }) => {
      const keys = [this.keys.checkpoint, documents];
      // The script's header says what it answers.
      const reply = (await readDocumentScript(this.redis, keys, [id])) as (string | null)[];
      return { checkpoint: reply[0], read: () => reply[1] ?? null };
    });
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
    return this.#read(async ({ documents, index }) => {
      const keys = [this.keys.checkpoint, documents, ...indexes.map(index)];
      const args = [highest, String(limit + 1), known];
      // The script's header says what it answers.
      const reply = (await pageOfDocuments(this.redis, keys, args)) as (string | null)[];
      return {
        checkpoint: reply[0],
        read: () => {
          const [checkpoint, members = '[]', documents = '[]'] = reply;
          return {
            checkpoint: checkpoint ?? '',
            members: members ?? '[]',
            documents: documents ?? '[]',
          };
        },
      };
    });
  }

  range(index: IndexName, { from, until, limit, offset = 0 }: TimeRange): Promise<ScoredMember[]> {
    const lowest = from === undefined ? '-inf' : toMilliseconds(from);
    const highest = toMilliseconds(until);
    return this.#read(async (generation) => {
      const key = generation.index(index);
      const [members, checkpoint] = await Promise.all([
        redisReply(
          this.redis.zrangebyscore(key, lowest, highest, 'WITHSCORES', 'LIMIT', offset, limit),
        ),
        redisReply(this.redis.get(this.keys.checkpoint)),
      ]);
      return { checkpoint, read: () => toScored(members) };
    });
  }

  async #read<T>(ask: (generation: GenerationKeys) => Promise<Reply<T>>): Promise<T> {
    for (;;) {
      const asked = this.#known;
      const { checkpoint, read } = await ask(asked.generation);
      const { epoch } = this.#know(checkpoint);
      if (epoch === asked.epoch) return read();
    }
  }

  /** What a checkpoint says; the last one is remembered, since most answers have the same. */
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

interface Reply<T> {
  readonly checkpoint: string | null | undefined;
  /** What was read, should the generation be the one that answers: another one may be half deleted. */
  readonly read: () => T;
}

function toScored(reply: readonly string[]): ScoredMember[] {
  const members: ScoredMember[] = [];
  for (let at = 0; at < reply.length; at += 2) {
    members.push({ member: reply[at] ?? '', at: fromMilliseconds(Number(reply[at + 1])) });
  }
  return members;
}
