import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type BookkeeperTask, isSignedQuestion, readTask } from '#finance';
import type { Log, Shutdown } from '#platform';
import { ReportFailed, withReportProcess, type WrittenReport } from './report-process.js';
import { ReportShares } from './report-shares.js';
import type { ReportStart } from './report-start.js';

/** A journal of five million entries takes some minutes. */
const REPORT_LIMIT_MS = 600_000;
/** A longer report is asked for by the command, which writes it to a folder. */
const MAX_REPORT_BYTES = 2 ** 31;

interface ReportServerOptions {
  readonly port: number;
  readonly host: string;
  /** Under which the API signs its questions. */
  readonly keys: () => readonly Buffer[];
  /** The program that writes a report. */
  readonly program: string;
  readonly log: Log;
  readonly shutdown: Shutdown;
}

/** Answers the API with reports (rules/finance 12), until the shutdown. @throws when the port is taken. */
export async function startReportServer(options: ReportServerOptions): Promise<void> {
  const { port, host, shutdown } = options;
  const shares = new ReportShares();
  // A report's question may have a mapping of accounts, which the API bounds.
  const server = createServer({ maxHeaderSize: 64 * 1024 }, (request, response) => {
    void answer(request, response, options, shares).catch((error: unknown) => {
      options.log.error({ err: error }, 'a report was not written');
      if (response.headersSent) response.destroy();
      else refuse(response, error instanceof ReportFailed && error.isUnreachable ? 503 : 500);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  shutdown.add('reports', () => {
    server.closeAllConnections();
    server.close();
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: ReportServerOptions,
  shares: ReportShares,
): Promise<void> {
  const task = findTask(request, options);
  const giveBack = typeof task === 'number' ? undefined : shares.take(task.app);
  if (typeof task === 'number' || giveBack === undefined) {
    refuse(response, typeof task === 'number' ? task : 429);
    return;
  }
  let start: ReportStart | undefined;
  try {
    start = await write(task, response, options);
  } finally {
    giveBack();
  }
  // A caller that knows the end may ask for the next report, and has its share again.
  if (start === undefined || start === 'begun') response.end();
  else refuse(response, 409, start);
}

/** The task that is asked for, or the status of a refusal. */
function findTask(
  { url = '', headers }: IncomingMessage,
  { keys }: ReportServerOptions,
): BookkeeperTask | 401 | 404 {
  const signature = headers.authorization ?? '';
  if (!isSignedQuestion(keys(), url, { signature, nowMs: Date.now() })) return 401;
  return readTask(url) ?? 404;
}

/**
 * The work ends when the API hangs up, as its client did, and at its limit.
 *
 * @returns the way in which the process began; undefined where the API has hung up.
 */
async function write(
  task: BookkeeperTask,
  response: ServerResponse,
  { program, shutdown }: ReportServerOptions,
): Promise<ReportStart | undefined> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const late = AbortSignal.timeout(REPORT_LIMIT_MS);
  const signal = AbortSignal.any([gone.signal, late, shutdown.signal]);
  let start: ReportStart | undefined;
  try {
    await withReportProcess(program, task, signal, async (report) => {
      start = report.start;
      if (start === 'begun') await send(report, response, signal);
    });
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  }
  return start;
}

/** The bytes of a report; the end of the answer is for later. */
async function send(
  { bytes }: WrittenReport,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/octet-stream' });
  let sent = 0;
  for await (const piece of bytes) {
    sent += piece.length;
    if (sent > MAX_REPORT_BYTES) throw new RangeError('a report is longer than 2 GiB');
    if (!response.write(piece)) await once(response, 'drain', { signal });
  }
}

function refuse(response: ServerResponse, status: number, why: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(why));
}
