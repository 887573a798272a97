import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';
import { type ProxyName, type ProxyPlace, readConfiguration } from './proxy/page.js';
import { PROXY_PROGRAMS } from './proxy/programs.js';

/** Against the page's advice, and usual all the same: nginx compresses, and weakens our tags. */
const COMPRESSION = 'gzip on; gzip_types application/json; gzip_proxied any; gzip_min_length 1;';

const STOP_LIMIT_MS = 30_000;

/** A real proxy on loopback, with the configuration that `docs/operations.md` has for it. */
export interface RunningProxy {
  readonly baseUrl: string;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

interface ProxyOptions {
  readonly upstreamPort: number;
  /** Changes the page's configuration. */
  readonly change?: (configuration: string) => string;
}

/** A change of the page's configuration of nginx, by which it compresses. */
export function compressing(configuration: string): string {
  return configuration.replace('gzip off;', COMPRESSION);
}

/** Finds the program of a proxy, or installs it. @throws Error that names the package to install. */
export function requireProxy(name: ProxyName): void {
  const { command } = PROXY_PROGRAMS[name];
  const args = ['tools/setup.mjs', `--${command}-alone`];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr.trim());
}

/** Starts a proxy in front of a port of this machine. Resolves when it accepts connections. */
export async function startProxy(
  name: ProxyName,
  { upstreamPort, change = (configuration) => configuration }: ProxyOptions,
): Promise<RunningProxy> {
  const dir = await mkdtemp(path.join(tmpdir(), `subledger-${name}-`));
  const place = { dir, port: await freePort(), upstreamPort };
  await writeFiles(name, place, change);
  const { command, args } = PROXY_PROGRAMS[name];
  const child = spawn(command, [...args(configurationFile(dir), place)], {
    // Debian has servers where no user looks; a proxy's own files are kept in its folder.
    env: { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin`, HOME: dir, TMPDIR: dir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = async () => {
    await end(child);
    await rm(dir, { recursive: true, force: true });
  };
  try {
    await untilAccepts(command, child, place.port);
  } catch (error) {
    await stop();
    throw error;
  }
  return { baseUrl: `http://127.0.0.1:${place.port}`, stop };
}

async function writeFiles(
  name: ProxyName,
  place: ProxyPlace,
  change: (configuration: string) => string,
): Promise<void> {
  const { wrap, files } = PROXY_PROGRAMS[name];
  const configuration = wrap(change(readConfiguration(name, place)), place);
  const all = { ...files?.(), [path.basename(configurationFile(place.dir))]: configuration };
  for (const [file, text] of Object.entries(all)) await writeFile(path.join(place.dir, file), text);
  // Started by root, some go on as another user.
  await chmod(place.dir, 0o777);
}

function configurationFile(dir: string): string {
  return path.join(dir, 'configuration');
}

async function untilAccepts(command: string, child: ChildProcess, port: number): Promise<void> {
  let said = '';
  for (const output of [child.stdout, child.stderr]) {
    output?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  }
  child.on('error', (error) => (said += String(error)));
  const isGone = () => child.exitCode !== null || child.pid === undefined;
  await eventually(async () => isGone() || (await accepts(port)), { what: command });
  if (isGone()) throw new Error(`${command} did not start:\n${said}`);
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return once(socket, 'connect').then(
    () => (socket.destroy(), true),
    () => false,
  );
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit', { signal: AbortSignal.timeout(STOP_LIMIT_MS) });
  child.kill('SIGTERM');
  await exited;
}
