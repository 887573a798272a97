import type { Mutant } from './mutant.js';

const EVENT_STORE = 'libs/embedded-event-store/src';
const SPECS = ['test/contract/event-store/embedded/scavenge.int.spec.ts'];
const CLUSTER = ['apps/cli/src/players/erasures.spec.ts'];
const ENDED = ['test/contract/event-store/embedded/scavenge-ended.int.spec.ts'];

/** Guards of what a scavenge takes away, and of what it must not. */
export const SCAVENGE_MUTANTS: readonly Mutant[] = [
  {
    name: 'a scavenge takes the last event of a stream',
    harm: 'The revision of the next append is known to nothing but the log, and an erased player says nothing.',
    file: `${EVENT_STORE}/scavenge/cuts.ts`,
    guard: 'if (revision >= lastRevision) return false;',
    without: '',
    specs: SPECS,
  },
  {
    name: 'an erasure is over when one node of several has scavenged',
    harm: 'The key of an erased player is on the disks of the others, and the command says that they hold nothing.',
    file: 'apps/cli/src/players/erasures.ts',
    guard: 'nodes.done.length > 0 && nodes.left === 0',
    without: 'nodes.done.length > 0 && nodes.left > -1',
    specs: CLUSTER,
  },
  {
    name: 'a node that is gone has scavenged for the one in its place',
    harm: 'The key of an erased player is on the disk of the new node, and the command says that it holds nothing.',
    file: 'apps/cli/src/players/erasures.ts',
    guard: 'list.every(({ node }) => !members.includes(node))',
    without: 'list.every(({ node }) => node !== undefined)',
    specs: CLUSTER,
  },
  {
    name: 'a scavenge is started again and again on one node, for those that are left',
    harm: 'A node rewrites its chunks for half a minute, and no other one does.',
    file: 'apps/cli/src/players/start-scavenge.ts',
    guard: 'erasure.nodes === undefined || erasure.nodes.done.length === 0',
    without: 'erasure.nodes === undefined || erasure.nodes.done.length > -1',
    specs: CLUSTER,
  },
  {
    name: 'appends go on while a scavenged file takes its place',
    harm: 'What is acknowledged in that moment is in the file that is overwritten.',
    file: `${EVENT_STORE}/scavenge/take-away.ts`,
    guard: 'await queue.exclusively(async () => {',
    without: 'await (async (act: () => Promise<void>) => act())(async () => {',
    specs: SPECS,
  },
  {
    name: 'the file of before a scavenge is not overwritten',
    harm: 'What was erased stays on the disk, in blocks that have no name.',
    file: `${EVENT_STORE}/storage/wipe.ts`,
    guard: 'written += (await handle.write(NOUGHTS, 0, length, written)).bytesWritten;',
    without: 'written += length;',
    specs: SPECS,
  },
  {
    name: 'a scavenged event is answered by a read of all',
    harm: 'Followers meet events without content, and stop.',
    file: `${EVENT_STORE}/read/reader.ts`,
    guard: 'return isScavenged(record) ? undefined : this',
    without: 'return this',
    specs: SPECS,
  },
  {
    name: 'what a killed scavenge has left stays',
    harm: 'The disk fills with copies.',
    file: `${EVENT_STORE}/start-event-store.ts`,
    guard: 'await wipeLeftovers(dataDir);',
    without: '',
    specs: SPECS,
  },
  {
    name: 'a backup does not look whether its file was scavenged meanwhile',
    harm: 'It says that the store is damaged, which it is not.',
    file: `${EVENT_STORE}/backup/take-backup.ts`,
    guard: 'if (statSync(eventsFile).ino === file) return;',
    without: 'if (file > 0) return;',
    specs: ENDED,
  },
  {
    name: 'a second name of the store is overwritten at a start',
    harm: 'A kill between two acts of a scavenge loses all events.',
    file: `${EVENT_STORE}/scavenge/take-away.ts`,
    guard: 'if (isSameFile(path.join(dataDir, EVENTS_FILE), before)) rmSync(before);',
    without: '',
    specs: SPECS,
  },
];
