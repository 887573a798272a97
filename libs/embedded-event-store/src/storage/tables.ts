import { open, type Database, type RootDatabase, type RootDatabaseOptions } from 'lmdb';
import { MAPPED_BYTES } from '../limits.js';
import { indexKeys, positionKeys, type IndexKey } from './keys.js';

/** The three tables of one file (decision 0010), and the root to which they belong. */
export interface Tables {
  readonly root: RootDatabase<Buffer>;
  readonly events: Database<Buffer, number>;
  readonly streams: Database<Buffer, Buffer>;
  readonly index: Database<Buffer, IndexKey>;
}

/**
 * Without `eventTurnBatching`, a commit that fails is refused to its caller alone: lmdb gathers the writes of a turn
 * in a promise of its own else, of which nothing hears, and the process ends.
 */
export type TableOptions = Pick<RootDatabaseOptions, 'readOnly' | 'eventTurnBatching'>;

/** Opens a file, which is made if it is not there. @throws lmdb's error. */
export function openTables(file: string, options: TableOptions = {}): Tables {
  const root = open<Buffer>({
    path: file,
    noSubdir: true,
    maxDbs: 3,
    overlappingSync: false,
    mapSize: MAPPED_BYTES,
    encoding: 'binary',
    ...options,
  });
  const table = <Key extends number | Buffer | IndexKey>(
    name: string,
    keys: Pick<RootDatabaseOptions, 'keyEncoder' | 'keyEncoding'>,
  ): Database<Buffer, Key> =>
    root.openDB<Buffer, Key>({ name, encoding: 'binary', cache: false, ...keys });
  return {
    root,
    events: table<number>('events', { keyEncoder: positionKeys }),
    streams: table<Buffer>('streams', { keyEncoding: 'binary' }),
    index: table<IndexKey>('index', { keyEncoder: indexKeys }),
  };
}
