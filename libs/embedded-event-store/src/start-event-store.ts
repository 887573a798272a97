import path from 'node:path';
import process from 'node:process';
import {
  insecureConnectionString,
  openAccess,
  secureConnectionString,
  type StoreAccess,
  writeConnectionString,
} from './access/store-access.js';
import { EventLog } from './event-log.js';
import {
  EventStoreStartRefused,
  EXIT_AFTER_FAILED_COMMIT,
  EXIT_DAMAGED,
  StoreDamaged,
} from './failures.js';
import { hasDraft, isBackup } from './backup/backup-directory.js';
import { AdminServer } from './admin/admin-server.js';
import { serverAccess } from './grpc/authentication.js';
import { DEAD_READERS_EVERY_MS, HOST, SHUTDOWN_GRACE_MS } from './limits.js';
import { wipeLeftovers } from './scavenge/take-away.js';
import { EventStoreServer } from './server.js';
import {
  damaged,
  ensureWritable,
  inspectDirectory,
  unopened,
  writeFormat,
} from './storage/data-directory.js';
import { lockDirectory } from './storage/directory-lock.js';
import { LogStore } from './storage/log-store.js';

export interface EventStoreOptions {
  /** 0 for any free port. */
  readonly port: number;
  /**
   * Where `/info` and `/health/live` are answered; nowhere if it is left out, any free one for 0.
   */
  readonly adminPort?: number;
  /** Created if it is not there; used by one process at a time. */
  readonly dataDir: string;
  /** Neither TLS nor credentials: every account of the machine may read and write all events. */
  readonly insecure?: boolean;
  /**
   * Called when a commit failed: memory is then ahead of the disk, and the process must end. By default it says so on
   * stderr and ends the process.
   */
  readonly onCommitFailed?: (error: Error) => void;
  /**
   * Called once when a read or a commit met damage: nothing is written any more. By default it says
   * so on stderr and ends the process with exit code 65.
   */
  readonly onDamaged?: (damage: StoreDamaged) => void;
}

export interface RunningEventStore {
  readonly port: number;
  /** Undefined without one. */
  readonly adminPort?: number;
  /** For `EventStoreDBClient.connectionString`; with the password, so it is a secret. */
  readonly connectionString: string;
  /** Holds the connection string, readable by its owner alone. */
  readonly connectionStringFile: string;
  /** Holds the password alone; none when the store is insecure. */
  readonly passwordFile: string | undefined;
  /** Answers appends on their way, ends every call with UNAVAILABLE and gives the directory back. */
  stop(): Promise<void>;
}

/** A new store's own first event; a store that ends there was never used. */
const FIRST_POSITION = 1;

/**
 * Starts the event store in this process, on loopback only. Throws `EventStoreStartRefused`, whose
 * message is one sentence, if the port is taken or the data directory can't be used.
 */
export async function startEventStore(options: EventStoreOptions): Promise<RunningEventStore> {
  const dataDir = path.resolve(options.dataDir);
  if (isBackup(dataDir)) {
    throw new EventStoreStartRefused(
      `${dataDir} is a backup: "npm run event-store -- restore ${dataDir}" makes a store of it.`,
    );
  }
  if (hasDraft(dataDir)) {
    throw new EventStoreStartRefused(
      `A restore into ${dataDir} was interrupted: run it again, or remove events.mdb.unfinished.`,
    );
  }
  ensureWritable(dataDir);
  const unlock = lockDirectory(dataDir);
  let log: EventLog | undefined;
  let server: EventStoreServer | undefined;
  try {
    await wipeLeftovers(dataDir);
    const access = options.insecure === true ? undefined : await openAccess(dataDir);
    const onCommitFailed = (error: Error) => {
      unlock();
      endProcess(error);
    };
    const damage = new DamageReport(options.onDamaged ?? endDamaged);
    log = await openLog(dataDir, damage.report, options.onCommitFailed ?? onCommitFailed);
    damage.watch(log);
    server = new EventStoreServer(log, dataDir, access && (await serverAccess(access)));
    const port = await server.listen(options.port);
    const { adminPort } = options;
    const authentication = access === undefined ? 'insecure' : 'internal';
    const admin =
      adminPort === undefined
        ? undefined
        : await AdminServer.listen(HOST, adminPort, authentication);
    const address = publishAddress(dataDir, port, access);
    return { ...running({ server, log, admin, unlock }), ...address };
  } catch (error) {
    await server?.stop();
    await log?.close();
    unlock();
    throw error;
  }
}

async function openLog(
  dataDir: string,
  onDamaged: (damage: StoreDamaged) => void,
  onCommitFailed: (error: Error) => void,
): Promise<EventLog> {
  const { eventsFile, isNew } = inspectDirectory(dataDir);
  let store: LogStore;
  try {
    store = new LogStore(eventsFile, onDamaged);
    store.requireEnd();
  } catch (error) {
    throw error instanceof StoreDamaged ? error : unopened(dataDir, error);
  }
  const log = new EventLog(store, onCommitFailed);
  if (!isNew) return log;
  if (log.queue.durablePosition > FIRST_POSITION) {
    await log.close();
    throw damaged(dataDir, 'it has events, but format.json is missing');
  }
  await log.initialise();
  writeFormat(dataDir);
  return log;
}

/** At the start, damage is thrown to the caller; later it ends the writing and is reported once. */
class DamageReport {
  #log: EventLog | undefined;

  constructor(private readonly tell: (damage: StoreDamaged) => void) {}

  watch(log: EventLog): void {
    this.#log = log;
  }

  readonly report = (damage: StoreDamaged): void => {
    const log = this.#log;
    this.#log = undefined;
    if (!log) return;
    log.queue.abandon(damage);
    this.tell(damage);
  };
}

interface Parts {
  readonly server: EventStoreServer;
  readonly log: EventLog;
  readonly admin: AdminServer | undefined;
  readonly unlock: () => void;
}

type Address = Omit<RunningEventStore, 'stop' | 'adminPort'>;

function publishAddress(dataDir: string, port: number, access: StoreAccess | undefined): Address {
  const connectionString =
    access === undefined ? insecureConnectionString(port) : secureConnectionString(access, port);
  return {
    port,
    connectionString,
    connectionStringFile: writeConnectionString(dataDir, connectionString),
    passwordFile: access?.passwordFile,
  };
}

function running({
  server,
  log,
  admin,
  unlock,
}: Parts): Pick<RunningEventStore, 'stop' | 'adminPort'> {
  let stopped: Promise<void> | undefined;
  const looks = setInterval(() => log.store.forgetDeadReaders(), DEAD_READERS_EVERY_MS).unref();
  const stop = async (): Promise<void> => {
    clearInterval(looks);
    await admin?.close();
    await server.stop();
    await log.close();
    unlock();
  };
  return { ...(admin && { adminPort: admin.port }), stop: () => (stopped ??= stop()) };
}

function endProcess(error: Error): void {
  process.stderr.write(`The event store could not write to its disk and ends: ${error.message}\n`);
  process.exit(EXIT_AFTER_FAILED_COMMIT);
}

function endDamaged(damage: StoreDamaged): void {
  process.stderr.write(`${damage.message}\n`);
  setTimeout(() => process.exit(EXIT_DAMAGED), SHUTDOWN_GRACE_MS);
}
