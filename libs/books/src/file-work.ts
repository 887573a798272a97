/**
 * The work of DuckDB for the books, as tasks that can be done in another process, too: DuckDB keeps dozens of megabytes
 * for as long as its process runs.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { readParentTask } from '#platform';
import type { BookFile } from './book-file.js';
import { DuckDb } from './duckdb.js';
import type { Merge } from './merges.js';
import { hashRows, mergeFiles, writeStaged } from './parquet-files.js';
import type { StagedPart } from './staged-rows.js';

/** Work on the files of the books. */
export type FileWork =
  | { readonly kind: 'find-lost'; readonly files: readonly BookFile[] }
  | { readonly kind: 'write'; readonly parts: readonly StagedPart[] }
  | ({ readonly kind: 'merge' } & Merge);

/** Such work with its places, as JSON can hold it. */
export type FileTask = FileWork & {
  /** BOOKS_DIR. */
  readonly folder: string;
  /** For sorts that need more memory: it exists. */
  readonly spillFolder: string;
};

/** Gives the files that do not have their rows, or those that were written. The signal ends it by an error. */
export type WorkOnFiles = (task: FileTask, signal?: AbortSignal) => Promise<readonly BookFile[]>;

/** Does a task in this process. @throws DuckDB's error; the system's. */
export const workOnFiles: WorkOnFiles = (task, signal) =>
  DuckDb.with(
    task.spillFolder,
    async (duckDb) => {
      if (task.kind === 'merge') return [await mergeFiles(duckDb, task.folder, task)];
      if (task.kind === 'write') return writeStaged(duckDb, task.folder, task.parts);
      const files: BookFile[] = [];
      for (const file of task.files) {
        // Another version of DuckDB wrote other bytes for the same rows.
        if (!(await hasRows(duckDb, task.folder, file))) files.push(file);
      }
      return files;
    },
    signal,
  );

async function hasRows(duckDb: DuckDb, folder: string, file: BookFile): Promise<boolean> {
  try {
    const { rowsHash } = await hashRows(duckDb, path.join(folder, file.path));
    return rowsHash === file.rowsHash;
  } catch {
    // DuckDB cannot read it, or it is not there.
    return false;
  }
}

/** Does tasks in a process of their own, which ends with this one. @param program calls `serveFileTask`. */
export function workInProcess(program: string): WorkOnFiles {
  return async (task, signal) => {
    signal?.throwIfAborted();
    const child = spawn(process.execPath, [program], { stdio: 'pipe', ...(signal && { signal }) });
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    // A child that ended early has not read its task, and `ended` has its exit code.
    child.stdin.on('error', () => undefined);
    child.stdin.write(`${JSON.stringify(task)}\n`);
    const [answer, trouble, code] = await Promise.all([
      ...[text(child.stdout), text(child.stderr)],
      ended,
    ] as const);
    if (code === 0) return JSON.parse(answer) as BookFile[];
    throw new Error(`the files of the books were not written: ${trouble.trim() || String(code)}`);
  };
}

/** Does the task that comes as a line on the standard input, whose end is the end of the parent. */
export async function serveFileTask(): Promise<void> {
  // Our own parent wrote it.
  const files = await workOnFiles((await readParentTask()) as FileTask);
  process.stdout.write(JSON.stringify(files), () => process.exit(0));
}
