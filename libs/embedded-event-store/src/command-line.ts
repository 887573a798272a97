import { parseArgs } from 'node:util';

export interface EventStoreCommandLine {
  readonly port: number;
  /** Undefined without an admin port. */
  readonly adminPort?: number;
  readonly dataDir: string;
  readonly insecure: boolean;
  readonly json: boolean;
  readonly exitWithParent: boolean;
  readonly help: boolean;
  readonly version: boolean;
}

/** EventStoreDB's port, where its clients and tools look first. */
const DEFAULT_PORT = 2113;
export const DEFAULT_DATA_DIR = './data/event-store';
const LARGEST_PORT = 65_535;

export const HELP = `An event store that speaks EventStoreDB's gRPC protocol, for one machine.

usage: npm run event-store -- [options]
       npm run event-store -- verify --help      reads a stopped store and says whether it is whole
       npm run event-store -- backup --help      copies the events of a store, also while it runs
       npm run event-store -- restore --help     makes a store of such a copy

  --port N             the port on 127.0.0.1; 0 for any free one (default ${DEFAULT_PORT})
  --admin-port N       a port for /info and /health/live, as on an EventStoreDB node (default none)
  --data-dir DIR       where events are kept, created if need be (default ${DEFAULT_DATA_DIR})
  --insecure           neither TLS nor credentials: every account of this machine may read, change
                       and delete all events
  --json               print {"port","connectionStringFile","passwordFile","ready"} as one line of
                       JSON when ready
  --exit-with-parent   stop when stdin is closed, for programs that start this one
  --help               print this
  --version            print the release

It prints a connection string for any EventStoreDB client; stop it with Ctrl-C or SIGTERM. An
acknowledged event is on disk. Nothing but this machine can connect, over TLS and with the password
that the first start made in the data directory; the file DIR/connection-string holds all that a
client needs, for the account that started it. One process at a time may use a data directory.`;

/** Parses the arguments after the program's name. Throws an error that names the bad argument. */
export function parseCommandLine(args: readonly string[]): EventStoreCommandLine {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string', default: String(DEFAULT_PORT) },
      'admin-port': { type: 'string' },
      'data-dir': { type: 'string', default: DEFAULT_DATA_DIR },
      insecure: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      'exit-with-parent': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      version: { type: 'boolean', default: false },
    },
  });
  if (values['data-dir'] === '') throw new Error('--data-dir needs the name of a directory.');
  const adminPort = values['admin-port'];
  return {
    port: parsePort('--port', values.port),
    ...(adminPort !== undefined && { adminPort: parsePort('--admin-port', adminPort) }),
    dataDir: values['data-dir'],
    insecure: values.insecure,
    json: values.json,
    exitWithParent: values['exit-with-parent'],
    help: values.help,
    version: values.version,
  };
}

function parsePort(option: string, text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= LARGEST_PORT) return Number(text);
  throw new Error(`${option} must be a number from 0 to ${LARGEST_PORT}, not "${text}".`);
}
