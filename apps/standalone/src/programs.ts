import path from 'node:path';
import type { Program } from './child.js';

const HERE = import.meta.dirname;

/** What all programs of the ledger are told; the same variables as on a cluster. */
export interface Surroundings {
  readonly eventStoreUrl: string;
  readonly redisUrl: string;
  readonly masterKey: Buffer;
  readonly logLevel: string;
  readonly sandboxInProductionApps: string;
}

/** The embedded event store, a process of its own. */
export function eventStoreProgram(dataDir: string, port: number, logFile: string): Program {
  const main = path.join(HERE, 'event-store.js');
  const options = ['--port', String(port), '--data-dir', dataDir, '--json', '--exit-with-parent'];
  return node('event store', main, options, {}, logFile);
}

/** One of the ledger's own programs: api, projector or worker. */
export function appProgram(
  name: 'api' | 'projector' | 'worker',
  around: Surroundings,
  env: Readonly<Record<string, string>>,
  logFile: string,
): Program {
  const main = path.join(HERE, `${name}.js`);
  const surroundings = {
    EVENTSTOREDB_URL: around.eventStoreUrl,
    REDIS_URL: around.redisUrl,
    MASTER_KEY: around.masterKey.toString('base64'),
    LOG_LEVEL: around.logLevel,
    // The standalone's test apps may reach programs on this machine (decisions 11).
    ALLOW_INSECURE_TARGETS: 'test-apps',
    SANDBOX_IN_PRODUCTION_APPS: around.sandboxInProductionApps,
    SUPERVISED: '1',
    // One port is for one program: here it is the API's, whose readiness is that of all.
    ...(name !== 'api' && { ADMIN_PORT: '' }),
  };
  return node(name, main, [], { ...surroundings, ...env }, logFile);
}

function node(
  name: string,
  main: string,
  options: readonly string[],
  env: Readonly<Record<string, string>>,
  logFile: string,
): Program {
  return {
    name,
    command: process.execPath,
    args: [main, ...options],
    env,
    logFile,
    isReady: readyLine,
  };
}

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
