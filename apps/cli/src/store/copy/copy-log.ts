import type { Position } from '#domain/event';
import {
  type LedgerStore,
  type NamespaceIdentity,
  RevisionConflict,
  START,
  type VerbatimEvent,
} from '#event-store';
import { newUuid, wallClock } from '#platform';
import { CliError } from '../../cli-error.js';

/** The stored name of a record. */
const COPY_ADVANCED = 'store_copy.advanced.v1';

/** Records that are read at a time. */
const RECORDS_READ = 500;

/** As it is stored. */
interface CopyAdvanced {
  readonly namespace: string;
  readonly storeId: string;
  /** All that the source has up to here is in the target, before this record. */
  readonly sourcePosition: Position;
}

/**
 * How far a copy has come: a stream of the target, outside of the namespace (decision 0014). A record
 * stands behind all that it speaks of and before all that follows, so that its own position is the
 * target's for the source's that it names. Two copies at once meet at its revision.
 */
export class CopyLog {
  private constructor(
    private readonly target: LedgerStore,
    private readonly identity: Pick<NamespaceIdentity, 'namespace' | 'storeId'>,
    private revision: number,
    /** The position in the source at which the copy goes on. */
    public sourcePosition: Position,
  ) {}

  /** @throws CliError where the target holds a copy of another ledger; Fault of the store. */
  static async open(target: LedgerStore, identity: NamespaceIdentity): Promise<CopyLog> {
    const { namespace, storeId } = identity;
    const read = { maxCount: 1, backwards: true };
    const [last] = await target.verbatim.readStream(copyStream(namespace), read);
    if (last === undefined) return new CopyLog(target, { namespace, storeId }, -1, START);
    const record = parseRecord(last);
    if (record.storeId !== storeId) {
      const found = `a copy of another ledger "${namespace}" (store ${record.storeId})`;
      throw new CliError(`The target holds ${found}: nothing was written.`);
    }
    return new CopyLog(target, { namespace, storeId }, last.revision, record.sourcePosition);
  }

  /** The identity of this copy among those in any store: the id of its first record, '' without one. @throws Fault. */
  static async findId(target: LedgerStore, { namespace }: NamespaceIdentity): Promise<string> {
    const [first] = await target.verbatim.readStream(copyStream(namespace), { maxCount: 1 });
    return first?.id ?? '';
  }

  /** @throws CliError where another copy has written meanwhile; Fault of the store. */
  async advance(sourcePosition: Position): Promise<void> {
    if (sourcePosition === this.sourcePosition) return;
    const data: CopyAdvanced = { ...this.identity, sourcePosition };
    const stream = copyStream(this.identity.namespace);
    const expected = this.revision === -1 ? 'no_stream' : this.revision;
    try {
      const { revision } = await this.target.verbatim.append(stream, expected, [toRecord(data)]);
      this.revision = revision;
      this.sourcePosition = sourcePosition;
    } catch (error) {
      if (!(error instanceof RevisionConflict)) throw error;
      throw new CliError('Another copy of this namespace into the same target is under way.');
    }
  }

  /** The last record that stands at a position of the source or before it. @throws Fault of the store. */
  async findBefore(sourcePosition: Position): Promise<CopiedUpTo> {
    for (let end = this.revision; end >= 0; end -= RECORDS_READ) {
      const read = { backwards: true, fromRevision: end, maxCount: RECORDS_READ };
      const stream = copyStream(this.identity.namespace);
      for (const record of await this.target.verbatim.readStream(stream, read)) {
        const found = parseRecord(record).sourcePosition;
        if (found <= sourcePosition) {
          return { sourcePosition: found, targetPosition: record.position };
        }
      }
    }
    return { sourcePosition: START, targetPosition: START };
  }
}

/** Positions of source and target up to which both have the same. */
interface CopiedUpTo {
  readonly sourcePosition: Position;
  readonly targetPosition: Position;
}

function copyStream(namespace: string): string {
  return `subledger_copy-${namespace}`;
}

function parseRecord({ data }: VerbatimEvent): CopyAdvanced {
  // Only a copy writes to this stream.
  return JSON.parse(Buffer.from(data).toString('utf8')) as CopyAdvanced;
}

function toRecord(data: CopyAdvanced) {
  const metadata = {
    $correlationId: data.storeId,
    actor: 'process:copy_store',
    appId: '',
    occurredAt: wallClock.now(),
  };
  return {
    id: newUuid(),
    type: COPY_ADVANCED,
    contentType: 'application/json',
    data: Buffer.from(JSON.stringify(data)),
    metadata: Buffer.from(JSON.stringify(metadata)),
  };
}
