import type { Mutant } from './mutant.js';

const COPY = 'apps/cli/src/store/copy';
const SPECS = [`${COPY}/store-copy.spec.ts`];

/** Guards of the copy of a ledger into another event store. */
export const STORE_COPY_MUTANTS: readonly Mutant[] = [
  {
    name: 'a copy that goes on takes what it has written for new',
    harm: 'A stream whose first events are gone has events twice in the target.',
    file: `${COPY}/stream-writer.ts`,
    guard: 'shift === undefined && this.isResuming()',
    without: 'shift === undefined && this.isResuming === undefined',
    specs: SPECS,
  },
  {
    name: 'a copy writes events of an app beside those that stood before it',
    harm: 'An endpoint comes behind what its webhooks are about, which are never sent.',
    file: `${COPY}/copier.ts`,
    guard: 'if (isInOrder !== wasInOrder || isInOrder) parts.push([]);',
    without: 'if (wasInOrder === undefined) parts.push([]);',
    specs: SPECS,
  },
  {
    name: 'a copy names the revisions of the source where the target has others',
    harm: 'Events that are left are hidden in the target.',
    file: `${COPY}/stream-metadata-writer.ts`,
    guard: 'before > shift ? { ...others, $tb: before - shift } : others',
    without: 'before > shift || shift > 0 ? { ...others, $tb: before } : others',
    specs: SPECS,
  },
  {
    name: 'two stores are the same whose logs are, whatever is hidden in them',
    harm: 'A switch goes through where the target hides events that the source shows.',
    file: `${COPY}/compare-stores.ts`,
    guard: 'if (left?.hides === true || right?.hides === true)',
    without: 'if (left?.hides !== left?.hides)',
    specs: SPECS,
  },
  {
    name: 'a copy hides an event more than the source',
    harm: 'An event that is left is hidden in the target.',
    file: `${COPY}/stream-metadata-writer.ts`,
    guard: '$tb: before - shift }',
    without: '$tb: before - shift + 1 }',
    specs: SPECS,
  },
  {
    name: 'a copy that goes on says how far it is before what it had written',
    harm: 'After the switch workers pass over events that stand in between.',
    file: `${COPY}/copier.ts`,
    guard: 'isRecorded || (isDue && !this.#isResuming)',
    without: 'isRecorded || isDue',
    specs: SPECS,
  },
  {
    name: 'a switch leaves the positions of the source in the backups',
    harm: 'Workers go on at another place than they were, and webhooks are lost.',
    file: `${COPY}/translate-backup.ts`,
    guard: 'const position = await lookups.findPosition(backup.position);',
    without: 'const { position } = backup;\n  await lookups.findPosition(position);',
    specs: [`${COPY}/translate-backup.spec.ts`],
  },
  {
    name: 'a read waits for a position of the store before a move',
    harm: 'Clients that hold an older consistency token get 503 after five seconds, again and again.',
    file: 'apps/api/src/http/consistent-wait.ts',
    guard: 'if (position > head) await',
    without: "if (head === '') await",
    specs: ['apps/api/src/http/consistent-wait.spec.ts'],
  },
  {
    name: 'a switch that was killed is not begun again',
    harm: 'A ledger that was moved half-way can be neither moved nor opened.',
    file: 'libs/event-store/src/limit-stream.ts',
    guard: 'if (!(error instanceof RevisionConflict)) throw error;',
    without: 'throw error;',
    specs: ['test/integration/store-copy/interrupted-switch.int.spec.ts'],
  },
  {
    name: 'two copies write into one target',
    harm: 'Each writes how far the other one is, and events are left out.',
    file: `${COPY}/copy-log.ts`,
    guard: "const expected = this.revision === -1 ? 'no_stream' : this.revision;",
    without: "const expected = 'any';",
    specs: ['test/integration/store-copy/interrupted-switch.int.spec.ts'],
  },
];
