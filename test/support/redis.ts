import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from './free-port.js';

/** Redis is up after some 20 ms; on a busy machine it may take its time. */
const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 30_000;
const POLL_MS = 10;
const ANSWER_LIMIT_MS = 10_000;
/** Another process may take the free port between our asking and Redis' listening. */
const PORT_ATTEMPTS = 5;

export interface RunningRedis {
  readonly url: string;
  readonly port: number;
  /** The folder of its append-only file. */
  readonly dir: string;
  /** Ends it in order, and removes a directory that it made. */
  stop(): Promise<void>;
  /** Ends it as a crash would (SIGKILL); the directory stays. */
  kill(): Promise<void>;
  /** Halts it (SIGSTOP): it keeps its connections and does not answer, until `resume`. */
  pause(): void;
  resume(): void;
  /** Sends one inline command, such as FLUSHALL. @returns the first line of the answer. */
  command(text: string): Promise<string>;
}

interface RedisOptions {
  /** A directory of its own, removed at the end, unless given. */
  readonly dir?: string;
  /** A free one unless given. */
  readonly port?: number;
  /** Whether to keep the data over a restart. */
  readonly appendOnly?: boolean;
  /** Makes it a node of a Redis Cluster, which talks to the others on this port. */
  readonly busPort?: number;
}

/** Until the nodes of a cluster take one of them for dead; short, so that a test need not wait for long. */
const NODE_TIMEOUT_MS = 2_000;

/** A redis-server of its own, on loopback, from the PATH. Resolves when it answers. */
export async function startRedis(options: RedisOptions = {}): Promise<RunningRedis> {
  const dir = options.dir ?? (await mkdtemp(path.join(tmpdir(), 'subledger-redis-')));
  let failure: unknown;
  for (let attempt = 0; attempt < PORT_ATTEMPTS; attempt += 1) {
    const port = options.port ?? (await freePort());
    try {
      return await startOn(port, dir, options);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

async function startOn(port: number, dir: string, options: RedisOptions): Promise<RunningRedis> {
  const child = spawn('redis-server', [...argumentsFor(port, dir, options)], { stdio: 'pipe' });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.on('error', (error) => (output += String(error)));
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit', { signal: AbortSignal.timeout(STOP_LIMIT_MS) });
    child.kill('SIGCONT');
    child.kill(signal);
    await exited;
  };
  const deadline = Date.now() + START_LIMIT_MS;
  for (;;) {
    const isAnswered = await answers(port);
    const isGone = child.exitCode !== null || child.pid === undefined;
    if (isAnswered && !isGone) break;
    if (isGone || Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`redis-server did not start on port ${port}:\n${output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    dir,
    stop: async () => {
      await end('SIGTERM');
      if (options.dir === undefined) await rm(dir, { recursive: true, force: true });
    },
    kill: () => end('SIGKILL'),
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    command: (text) => ask(port, text),
  };
}

function argumentsFor(port: number, dir: string, options: RedisOptions): string[] {
  const { appendOnly = false, busPort } = options;
  return [
    ...(busPort === undefined ? [] : clusterArguments(busPort)),
    ...['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', ''],
    ...['--appendonly', appendOnly ? 'yes' : 'no', '--appendfsync', 'everysec'],
    ...['--daemonize', 'no', '--maxmemory-policy', 'noeviction', '--loglevel', 'warning'],
  ];
}

function clusterArguments(busPort: number): string[] {
  return [
    ...['--cluster-enabled', 'yes', '--cluster-port', String(busPort)],
    ...['--cluster-node-timeout', String(NODE_TIMEOUT_MS), '--cluster-announce-ip', '127.0.0.1'],
    // As rules/running 9 wants it: without one master the others go on.
    ...['--cluster-require-full-coverage', 'no'],
    ...['--repl-diskless-sync', 'yes', '--repl-diskless-sync-delay', '0'],
  ];
}

/** A PONG, from any Redis that listens there. */
async function answers(port: number): Promise<boolean> {
  try {
    return (await ask(port, 'PING')) === '+PONG';
  } catch {
    return false;
  }
}

function ask(port: number, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', timeout: ANSWER_LIMIT_MS };
    const socket = connect(options, () => socket.write(`${command}\r\n`));
    socket.once('data', (answer) => resolve(answer.toString().split('\r\n')[0] ?? ''));
    socket.once('data', () => socket.destroy());
    socket.once('timeout', () => socket.destroy(new Error(`no answer to ${command}`)));
    socket.once('error', reject);
  });
}
