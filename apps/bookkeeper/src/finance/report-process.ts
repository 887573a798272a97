import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { BookkeeperTask } from '#finance';
import { EXIT_UNREACHABLE, type ReportStart } from './report-start.js';

/** The answer of a process that writes a report. */
export interface WrittenReport {
  readonly start: ReportStart;
  /** The bytes of the report. @throws ReportFailed where the process did not come to their end. */
  readonly bytes: AsyncGenerator<Buffer>;
}

/** A report that was not written. */
export class ReportFailed extends Error {
  /** @param isUnreachable where the store was: asking again may help. */
  constructor(
    message: string,
    readonly isUnreachable: boolean,
  ) {
    super(message);
  }
}

/**
 * Has a report written by a process of its own, which ends with the signal, with this process, and with its report:
 * DuckDB takes memory for as long as its process runs, and a report may take both cores for a while.
 *
 * @param program calls `writeReport`.
 * @throws ReportFailed.
 */
export async function withReportProcess(
  program: string,
  task: BookkeeperTask,
  signal: AbortSignal,
  use: (report: WrittenReport) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'subledger-reports-'));
  const child = spawn(process.execPath, [program], {
    stdio: 'pipe',
    env: { ...process.env, TMPDIR: folder },
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null)).once('close', resolve);
  });
  const kill = () => void child.kill('SIGKILL');
  signal.addEventListener('abort', kill);
  if (signal.aborted) kill();
  const trouble = text(child.stderr);
  const requireEnd = async () => {
    const code = await ended;
    if (code === 0) return;
    const isUnreachable = code === EXIT_UNREACHABLE;
    throw new ReportFailed((await trouble).trim() || `it ended with ${code}`, isUnreachable);
  };
  try {
    // A child that ended early has not read its task, and `ended` has its exit code.
    child.stdin.on('error', () => undefined);
    child.stdin.write(`${JSON.stringify(task)}\n`);
    const line = await readLine(child.stdout);
    if (line === undefined) await requireEnd();
    // The child is a program of ours.
    const start = JSON.parse(line ?? '') as ReportStart;
    await use({ start, bytes: readToEnd(child.stdout, requireEnd) });
  } finally {
    signal.removeEventListener('abort', kill);
    kill();
    await ended;
    await rm(folder, { recursive: true, force: true });
  }
}

/** The first line, which a line feed ends; undefined where there is none. The bytes behind it stay in the stream. */
async function readLine(stream: Readable): Promise<string | undefined> {
  let read = Buffer.alloc(0);
  // A stream without an encoding gives bytes.
  for await (const piece of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    read = Buffer.concat([read, piece]);
    const end = read.indexOf('\n');
    if (end < 0) continue;
    stream.unshift(read.subarray(end + 1));
    return read.subarray(0, end).toString('utf8');
  }
  return undefined;
}

async function* readToEnd(stream: Readable, requireEnd: () => Promise<void>) {
  yield* stream as AsyncIterable<Buffer>;
  await requireEnd();
}
