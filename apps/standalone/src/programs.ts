import path from 'node:path';
import type { Program, StartShare } from './child.js';
import { listNodeFlags } from './node-flags.js';

const HERE = import.meta.dirname;

/** The layers: an orderly stop takes the highest first, and the store last. */
export const LAYERS = {
  'event store': 0,
  Redis: 1,
  bookkeeper: 2,
  projector: 2,
  worker: 3,
  storefront: 4,
  api: 4,
} as const;

/**
 * lmdb's message about a failed write, and then the event store's. lmdb 3.5.6 composes its message in a buffer that is
 * too small, so the process may be aborted before its exit code is set (rules/running 4).
 */
const FAILED_WRITE = /Write error: |could not write to its disk/;

/** The addresses of a program's services; the same variables as on a cluster. */
export interface Surroundings {
  readonly eventStoreUrl: string;
  readonly redisUrl: string;
  readonly logLevel: string;
}

/** The embedded event store, a process of its own. */
export function eventStoreProgram(dataDir: string, port: number, logFile: string): Program {
  const main = path.join(HERE, 'event-store.js');
  const options = ['--port', String(port), '--data-dir', dataDir, '--json', '--exit-with-parent'];
  return {
    ...node('event store', main, options, {}, logFile),
    isPassing: (lastWords) => FAILED_WRITE.test(lastWords),
    advice: `Its data may be damaged: npm run event-store -- verify --data-dir ${dataDir} tells.`,
  };
}

/** The programs that hold leases (rules/running 8). */
const HOLDERS: ReadonlySet<string> = new Set(['bookkeeper', 'projector', 'worker']);

/** They call gateways, or addresses that apps have registered. */
const REACHING_OUT: ReadonlySet<string> = new Set(['api', 'storefront', 'worker']);

/**
 * One of the ledger's own programs.
 *
 * @param env its own variables beside those of all, such as secrets.
 */
export function appProgram(
  name: 'api' | 'bookkeeper' | 'storefront' | 'projector' | 'worker',
  around: Surroundings,
  env: Readonly<Record<string, string>>,
  logFile: string,
): Program {
  const main = path.join(HERE, `${name}.js`);
  const surroundings = {
    EVENTSTOREDB_URL: around.eventStoreUrl,
    REDIS_URL: around.redisUrl,
    LOG_LEVEL: around.logLevel,
    SUPERVISED: '1',
    // One of each runs: a killed one that starts again need not wait until its leases run out.
    ...(HOLDERS.has(name) && { INSTANCE_NAME: 'standalone' }),
  };
  const program = node(name, main, [], { ...surroundings, ...env }, logFile);
  return { ...program, reachesOut: REACHING_OUT.has(name) };
}

function node(
  name: keyof typeof LAYERS,
  main: string,
  options: readonly string[],
  env: Readonly<Record<string, string>>,
  logFile: string,
): Program {
  return {
    name,
    layer: LAYERS[name],
    command: process.execPath,
    args: [...listNodeFlags(name), main, ...options],
    env,
    logFile,
    isReady: readyLine,
    progressIn: progressLine,
    obstaclesIn: obstacleLine,
  };
}

/** The line with which our programs say how far a long start is. */
function progressLine(line: string): StartShare | undefined {
  if (!line.startsWith('{"doing":')) return undefined;
  try {
    // Our own programs wrote it, in this form.
    return JSON.parse(line) as StartShare;
  } catch {
    return undefined;
  }
}

/** A line with the reasons why a start waits for an operator, each with some findings of the gate. */
function obstacleLine(line: string): readonly string[] | undefined {
  if (!line.startsWith('{"obstacles":')) return undefined;
  try {
    // Our own projector wrote it, in this form.
    const { obstacles } = JSON.parse(line) as { obstacles: readonly Obstacle[] };
    return obstacles.map(({ sentence, findings }) =>
      [sentence, ...findings.slice(0, SHOWN_FINDINGS)].join('\n  '),
    );
  } catch {
    return undefined;
  }
}

interface Obstacle {
  readonly sentence: string;
  readonly findings: readonly string[];
}

/** Of the gate's findings: the projector's log has more. */
const SHOWN_FINDINGS = 3;

/** The line with which our programs say that they are ready; all other lines are their log. */
function readyLine(line: string): Record<string, unknown> | undefined {
  if (!line.endsWith('"ready":true}')) return undefined;
  try {
    // Our own programs wrote it, as an object.
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
