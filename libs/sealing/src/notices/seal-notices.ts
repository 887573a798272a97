import { SEAL_NOTICE_CATEGORY, type SealNoticeRecorded } from '#domain/seal';
import {
  type CommandExecutor,
  createCommandExecutor,
  eventsToAppend,
  type LedgerStore,
  RevisionConflict,
} from '#event-store';
import { deriveUuid, Fault, retry } from '#platform';
import { proveConsistency } from '#seal';
import { type FoundCheckpoint, SealReader } from '../seal-reader.js';
import { listWitnesses, type Witness } from './witnesses.js';

/** Checkpoints of which an app is notified late, as after a crash: an older one is asked for over HTTP (rules/http 13). */
const NOTICES_MADE_UP = 16;
/** A week of notices at the usual interval: webhooks of them are tried for three days. */
const NOTICES_KEPT = 1_000;
/** Two bookkeepers at once meet at a revision: more often than this they never do. */
const ATTEMPTS = 8;
const AGAIN_BASE_MS = 50;
const AGAIN_CAP_MS = 5_000;
const ACTOR = 'process:seal_events';

/** A checkpoint, and the size of the one before it. */
interface Growth {
  readonly found: FoundCheckpoint;
  readonly previousSize: number;
}

/** A witness, and the last notice in its stream. */
interface Notified {
  readonly witness: Witness;
  readonly revision: number;
  /** Undefined for an app that was never notified of any. */
  readonly size: number | undefined;
  readonly occurredAt: string;
}

/**
 * Notifies apps that witness the ledger of its checkpoints, by a stream of notices for each, which webhooks are sent of
 * (rules/evidence 10). A notice follows from its checkpoint and its app, and is appended at the expected revision: two
 * bookkeepers write one.
 */
export class SealNotices {
  readonly #streams: CommandExecutor;
  readonly #reader: SealReader;

  constructor(private readonly store: LedgerStore) {
    this.#streams = createCommandExecutor(store);
    this.#reader = new SealReader(store);
  }

  /** Writes the notices that are missing, each app's from its last one on. @throws Fault of the store. */
  write(): Promise<void> {
    const limits = { attempts: ATTEMPTS, baseMs: AGAIN_BASE_MS, capMs: AGAIN_CAP_MS };
    return retry(() => this.#writeOnce(), limits);
  }

  async #writeOnce(): Promise<void> {
    const notified: Notified[] = [];
    for (const witness of await listWitnesses(this.#streams))
      notified.push(await this.#findLast(witness));
    if (notified.length === 0) return;
    const growths = await this.#listGrowths(notified);
    const proofs = new Map<Growth, SealNoticeRecorded['data']>();
    for (const each of notified) {
      for (const [at, growth] of listDue(each, growths).entries()) {
        const data = proofs.get(growth) ?? (await this.#describe(growth));
        proofs.set(growth, data);
        await this.#append(each, at, data);
      }
    }
  }

  async #findLast(witness: Witness): Promise<Notified> {
    const last = { backwards: true, maxCount: 1 };
    for await (const event of this.store.readStream(noticeStream(witness), last)) {
      // A stream of this category carries no other event.
      const { size } = event.data as SealNoticeRecorded['data'];
      const { occurredAt } = event.metadata;
      return { witness, revision: event.revision, size, occurredAt };
    }
    return { witness, revision: -1, size: undefined, occurredAt: '' };
  }

  /** The checkpoints of which one of the apps has no notice yet, newest first. */
  async #listGrowths(notified: readonly Notified[]): Promise<Growth[]> {
    const least = Math.min(...notified.map(({ size = Infinity }) => size));
    const growths: Growth[] = [];
    let later: FoundCheckpoint | undefined;
    for await (const seal of this.#reader.listBackwards()) {
      if (seal.kind !== 'checkpoint') continue;
      const { size } = seal.checkpoint;
      // Two keys have signed the same tree: the later checkpoint has both signatures.
      if (later?.checkpoint.size === size) continue;
      if (later !== undefined) growths.push({ found: later, previousSize: size });
      if (later !== undefined && (size <= least || growths.length === NOTICES_MADE_UP)) {
        return growths;
      }
      later = seal;
    }
    if (later !== undefined) growths.push({ found: later, previousSize: 0 });
    return growths;
  }

  async #describe({ found, previousSize }: Growth): Promise<SealNoticeRecorded['data']> {
    const { size, note } = found.checkpoint;
    const readHash = this.#reader.readHashes(found);
    const proof = previousSize === 0 ? [] : await proveConsistency(previousSize, size, readHash);
    return { size, note, previousSize, hashes: proof.map((hash) => hash.toString('base64')) };
  }

  async #append(
    { witness, revision, occurredAt }: Notified,
    at: number,
    data: SealNoticeRecorded['data'],
  ): Promise<void> {
    const streamName = noticeStream(witness);
    const source = `seal notice ${witness.appId} ${data.note}`;
    const context = { ...witness, actor: ACTOR, correlationId: deriveUuid(source) };
    const event: SealNoticeRecorded = { type: 'seal_notice.recorded.v1', data };
    const act = { ...context, eventIdsFrom: source };
    const before = revision + at;
    try {
      await this.store.lifetimes.limit(streamName, { maxCount: NOTICES_KEPT });
      const expected = before === -1 ? 'no_stream' : before;
      await this.store.append(streamName, expected, eventsToAppend([event], act, occurredAt));
    } catch (error) {
      throw error instanceof RevisionConflict ? overtaken(error) : error;
    }
  }
}

/** An app that was never notified of any begins with the newest one. */
function listDue({ size: known }: Notified, growths: readonly Growth[]): Growth[] {
  if (known === undefined) return growths.slice(0, 1);
  return growths.filter(({ found }) => found.checkpoint.size > known).reverse();
}

function noticeStream({ appId }: Witness): string {
  return `${SEAL_NOTICE_CATEGORY}-${appId}`;
}

function overtaken(cause: RevisionConflict): Fault {
  const message = 'another bookkeeper notified of the same checkpoint';
  return new Fault('conflict', message, { retryable: true, cause });
}
