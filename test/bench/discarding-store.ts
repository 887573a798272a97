/**
 * The embedded event store with storing switched off: everything but the disk, which is the limit
 * that the benchmark compares with. It is started like the real one.
 */
import process from 'node:process';
import { parseCommandLine } from '../../libs/embedded-event-store/src/command-line.js';
import { startEventStore } from '../../libs/embedded-event-store/src/start-event-store.js';
import { LogStore } from '../../libs/embedded-event-store/src/storage/log-store.js';

class DiscardingStore extends LogStore {
  override async commit(): Promise<void> {
    // Nothing is kept: an append is acknowledged as soon as it is decided.
  }
}

const { port, dataDir } = parseCommandLine(process.argv.slice(2));
const store = await startEventStore({ port, dataDir }, (file) => new DiscardingStore(file));
console.log(JSON.stringify({ connectionStringFile: store.connectionStringFile }));
process.once('SIGTERM', () => void store.stop().then(() => process.exit(0)));
