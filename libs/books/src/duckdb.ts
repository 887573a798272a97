/**
 * DuckDB, which writes and reads the books. Its binary takes 68 MB on disk and dozens in memory, so that it is loaded
 * where books are written or read, and nowhere else; no other file imports it (`.dependency-cruiser.mjs`).
 */
import type {
  DuckDBBlobVector,
  DuckDBConnection,
  DuckDBDataChunk,
  DuckDBInstance,
  DuckDBValue,
} from '@duckdb/node-api';

/** For sorts and reads, beside the memory of the process: a sort that needs more goes to the disk. */
const MEMORY_MB = 256;
/** Writing and reading take one core each; the store, which is asked meanwhile, the others. */
const THREADS = 2;

const NONE = new Uint8Array(0);

/** A value for a `$1` of a statement. */
export type SqlValue = string | number | bigint | boolean | null;

/** One instance in memory, in UTC, which takes no more memory than its limit. */
export class DuckDb {
  private constructor(
    /** Such as `v1.5.6`: it writes other bytes for the same rows than another version. */
    readonly version: string,
    private readonly instance: DuckDBInstance,
    private readonly connection: DuckDBConnection,
    /** All connections of the instance. */
    private readonly connections = new Set([connection]),
  ) {}

  /** @param spillFolder for sorts that need more memory: it exists. */
  static async open(spillFolder: string): Promise<DuckDb> {
    const { DuckDBInstance, version } = await import('@duckdb/node-api');
    const instance = await DuckDBInstance.create(':memory:', {
      memory_limit: `${MEMORY_MB}MB`,
      temp_directory: spillFolder,
      threads: String(THREADS),
      // No statement of ours needs more, and none may fetch code from another machine.
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
    });
    const connection = await instance.connect();
    // For the instance: SET alone would reach one connection (findings).
    await connection.run("SET GLOBAL TimeZone = 'UTC'");
    return new DuckDb(version(), instance, connection);
  }

  /** Opens an instance, and closes it after use. @param signal ends a statement that is under way, by an error. */
  static async with<Result>(
    spillFolder: string,
    use: (duckDb: DuckDb) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    const duckDb = await DuckDb.open(spillFolder);
    const interrupt = () => {
      for (const connection of duckDb.connections) connection.interrupt();
    };
    signal?.addEventListener('abort', interrupt);
    try {
      signal?.throwIfAborted();
      return await use(duckDb);
    } finally {
      signal?.removeEventListener('abort', interrupt);
      duckDb.close();
    }
  }

  /** Does work on a connection of its own: one connection does one statement after the other. */
  async beside<Result>(use: (duckDb: DuckDb) => Promise<Result>): Promise<Result> {
    const connection = await this.instance.connect();
    this.connections.add(connection);
    try {
      return await use(new DuckDb(this.version, this.instance, connection, this.connections));
    } finally {
      this.connections.delete(connection);
      connection.closeSync();
    }
  }

  async run(sql: string, values: readonly SqlValue[] = []): Promise<void> {
    await this.connection.run(sql, [...values]);
  }

  /** All rows of a short answer: BIGINT and HUGEINT come as bigint, days and instants have to be turned into text. */
  async all(
    sql: string,
    values: readonly SqlValue[] = [],
  ): Promise<Readonly<Record<string, DuckDBValue>>[]> {
    const answer = await this.connection.runAndReadAll(sql, [...values]);
    return answer.getRowObjects();
  }

  /** The values of a single column of text, some thousand at a time. */
  async *texts(sql: string): AsyncGenerator<readonly string[]> {
    // The statement asks for a column of text without nulls.
    for await (const chunk of this.#stream(sql)) yield chunk.getColumnValues(0) as string[];
  }

  /** The values of a single column of BLOB, some thousand at a time. */
  async *blobs(sql: string): AsyncGenerator<readonly Uint8Array[]> {
    for await (const chunk of this.#stream(sql)) {
      // The statement asks for a column of BLOB without nulls.
      const vector = chunk.getColumnVector(0) as DuckDBBlobVector;
      yield Array.from({ length: chunk.rowCount }, (_, at) => vector.getItemBytes(at) ?? NONE);
    }
  }

  async *#stream(sql: string): AsyncGenerator<DuckDBDataChunk> {
    const answer = await this.connection.stream(sql);
    for (;;) {
      const chunk = await answer.fetchChunk();
      if (chunk === null || chunk.rowCount === 0) return;
      yield chunk;
    }
  }

  close(): void {
    this.connection.closeSync();
    this.instance.closeSync();
  }
}

/** A text as a statement has it. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
