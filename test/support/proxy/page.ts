import { readFileSync } from 'node:fs';

/** The proxies of `docs/operations.md`. */
export type ProxyName = 'nginx' | 'apache' | 'haproxy' | 'varnish' | 'lighttpd' | 'caddy' | 'squid';

const PAGE = 'docs/operations.md';

/** A place for a configuration that takes the place of the page's. */
export interface ProxyPlace {
  readonly port: number;
  readonly upstreamPort: number;
  readonly dir: string;
}

/** How the page writes the port to listen at, and how it is written for one port of loopback. */
const LISTENING: Readonly<Record<ProxyName, (port: number) => readonly [string, string]>> = {
  nginx: (port) => ['listen 80;', `listen 127.0.0.1:${port};`],
  apache: (port) => ['*:80', `127.0.0.1:${port}`],
  haproxy: (port) => ['bind :80\n', `bind 127.0.0.1:${port}\n`],
  // Varnish takes it from its command line.
  varnish: () => ['vcl 4.1;', 'vcl 4.1;'],
  lighttpd: (port) => ['server.port = 80\n', `server.port = ${port}\n`],
  caddy: (port) => [':80 {', `:${port} {`],
  squid: (port) => ['http_port 80 ', `http_port 127.0.0.1:${port} `],
};

/** The page's configuration as it stands there, but for ports and folders. @throws Error where the page has none. */
export function readConfiguration(
  name: ProxyName,
  { port, upstreamPort, dir }: ProxyPlace,
): string {
  // The language of Varnish has another name.
  const language = name === 'varnish' ? 'vcl' : name;
  const [, block] = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(readPage()) ?? [];
  const [listens, listensHere] = LISTENING[name](port);
  if (!block?.includes(listens) || !block.includes('8080')) {
    throw new Error(`${PAGE} has no configuration of ${name} with "${listens}" and 8080`);
  }
  return block
    .replace(listens, listensHere)
    .replaceAll('8080', String(upstreamPort))
    .replaceAll('/etc/subledger', dir)
    .replaceAll('/var/empty', dir);
}

/** The content of Apache's file for its own errors, as the page has it. */
export function readAwayFile(): string {
  const [, text] = /^`\/etc\/subledger\/away\.json` holds `([^`]+)`/m.exec(readPage()) ?? [];
  if (text === undefined) throw new Error(`${PAGE} does not say what away.json holds`);
  return text;
}

/** The page's additions to the command line of Varnish. */
export function readVarnishOptions(): readonly string[] {
  const [, options] = /^Start it with `([^`]+)`/m.exec(readPage()) ?? [];
  if (options === undefined) throw new Error(`${PAGE} does not say how Varnish is started`);
  return options.split(' ');
}

/** The modules that the page has Apache load. */
export function readApacheModules(): readonly string[] {
  const [, list = ''] = /^Modules: (.+)\.$/m.exec(readPage()) ?? [];
  return [...list.matchAll(/`(\w+)`/g)].map(([, module = '']) => module);
}

function readPage(): string {
  return readFileSync(PAGE, 'utf8');
}
