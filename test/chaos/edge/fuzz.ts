/**
 * Sends hostile requests over every operation and holds the ledger to two promises: no request is
 * answered with 5xx, and no refused one changes state. State is the event store itself: every event
 * carries the id of the request that it came from.
 */
import type { RunningStandalone } from '../../support/standalone.js';
import { exchange, type WireAnswer } from './exchange.js';
import { type HostileRequest, hostileRequest } from './hostile-request.js';
import { inParallel } from './in-parallel.js';
import { type LedgerEvent, LedgerWatch } from './ledger-watch.js';
import { isActOnReadModel, type Operation, readOperations } from './operations.js';
import { FuzzReport } from './report.js';
import { makeApps, makeScene, type Scene } from './scene.js';
import { judgeAnswer } from './verdict.js';

/** Then there are new things to name: accepted requests use the old ones up. */
const REQUESTS_PER_SCENE = 500;

export interface FuzzOptions {
  readonly standalone: RunningStandalone;
  /** Of an operator for all apps. */
  readonly allAppsToken: string;
  readonly seed: number;
  /** The indexes of the requests to send. */
  readonly first: number;
  readonly count: number;
  readonly onProgress?: (done: number, found: number) => void;
}

/** @returns the requests, their answers, and every finding. */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const { standalone, seed, first, count } = options;
  const all = await readOperations(standalone.baseUrl);
  const operations = all.filter((operation) => !isActOnReadModel(operation));
  const watch = new LedgerWatch(await standalone.eventStoreUrl());
  const report = new FuzzReport(seed);
  try {
    for (let at = first; at < first + count; at += REQUESTS_PER_SCENE) {
      const apps = await makeApps(standalone.demo, options.allAppsToken);
      const scene = await makeScene(apps, at);
      await watch.newEvents();
      const end = Math.min(at + REQUESTS_PER_SCENE, first + count);
      await inParallel(requestsOf(operations, scene, seed, at, end), async (asked) =>
        sendOne(standalone.baseUrl, asked, report),
      );
      judgeEvents(await watch.newEvents(), report);
      options.onProgress?.(end - first, report.findings.length);
    }
  } finally {
    await watch.close();
  }
  return report;
}

function* requestsOf(
  operations: readonly Operation[],
  scene: Scene,
  seed: number,
  from: number,
  end: number,
): Generator<HostileRequest> {
  for (let index = from; index < end; index += 1) {
    yield hostileRequest(operations, scene, seed, index);
  }
}

async function sendOne(baseUrl: string, asked: HostileRequest, report: FuzzReport): Promise<void> {
  const { wire, operation, isRefused } = asked;
  try {
    const answer = await exchange(baseUrl, wire);
    const { isPage } = operation;
    const complaints = [...judgeAnswer({ method: wire.method, isPage }, answer)];
    if (isRefused && answer.status < 400) complaints.push(`${answer.status}, must be refused`);
    report.answered(asked, answer, isDone(answer), complaints);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    report.unanswered(asked, `no answer: ${why}`);
  }
}

/** A decline is a refusal that was asked for: the attempt stands in the ledger. */
function isDone({ status, bytes }: WireAnswer): boolean {
  return status < 300 || (status === 400 && bytes.includes('"PAYMENT_DECLINED"'));
}

/**
 * Events of processes come after those of the request that set them off, some with an id of their own (a charge, a due
 * date): they are known by their actors, and no request writes as they do.
 */
function judgeEvents(events: readonly LedgerEvent[], report: FuzzReport): void {
  report.events += events.length;
  for (const event of events) {
    const origin = report.findOrigin(event.correlationId);
    if (origin?.isDone === true) continue;
    const found = `${event.type} in ${event.streamName} by ${event.actor}, ${event.correlationId}`;
    if (origin !== undefined) report.add(origin.asked, `refused, and yet there is ${found}`);
    else if (!event.actor.startsWith('process:'))
      report.addUnknown(`no request asked for ${found}`);
  }
}
