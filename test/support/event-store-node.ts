import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import process from 'node:process';
import type { RunningEventStore } from '#embedded-event-store';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';

/** .NET takes seconds to start on a busy machine. */
const START_LIMIT_MS = 60_000;
const POLL_MS = 200;

type Node = Pick<RunningEventStore, 'port' | 'connectionString' | 'stop'>;

/**
 * Starts the insecure node that ESDB_COMMAND names, in place of the embedded store: a command line with `{port}`,
 * `{internal}` (another port) and `{folder}` in the places of its values (libs/embedded-event-store/README.md).
 *
 * @param wantedPort any free one where it is 0.
 * @returns undefined where no command is named. @throws Error where the node does not become a leader.
 */
export async function startNamedNode(
  wantedPort: number,
  dataDir: string,
): Promise<Node | undefined> {
  const command = process.env['ESDB_COMMAND'] ?? '';
  if (command === '') return undefined;
  const port = wantedPort === 0 ? await freePort() : wantedPort;
  const folder = path.join(dataDir, 'node');
  const values = { port, internal: await freePort(), folder };
  const [program = '', ...args] = Object.entries(values)
    .reduce((text, [name, value]) => text.replaceAll(`{${name}}`, String(value)), command)
    .split(' ');
  const child = spawn(program, args, { stdio: 'ignore' });
  const exited = once(child, 'exit');
  const isLeader = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/info`).catch(() => undefined);
    const { state } = ((await answer?.json()) ?? {}) as { readonly state?: string };
    return state === 'leader';
  };
  await eventually(isLeader, { what: 'a leader', limitMs: START_LIMIT_MS, firstPollMs: POLL_MS });
  const stop = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  return { port, connectionString: `esdb://127.0.0.1:${port}?tls=false`, stop };
}
