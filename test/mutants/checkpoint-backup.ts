import type { Mutant } from './mutant.js';

const FEED = 'apps/worker/src/feed';
const WEIGHT = 'libs/checkpoint-backup/src/weight.ts';
const INTEGRATION = 'test/integration/worker';

/** Guards of what Redis has lost: how the backup notices it, and what a record of it may weigh. */
export const CHECKPOINT_BACKUP_MUTANTS: readonly Mutant[] = [
  {
    name: 'a backup does not look whether Redis has lost something',
    harm: 'The end of what is begun again passes for the end of something new, and stays in flight for ever.',
    file: `${FEED}/checkpoint-backup.ts`,
    guard: ' || identity !== progress.identity',
    without: '',
    specs: [`${FEED}/checkpoint-backup.spec.ts`],
  },
  {
    name: 'a partition without a backup goes on from nothing',
    harm: 'After a restore, all webhooks of a partition that had written none since its last start are sent again.',
    file: `${FEED}/backup-log.ts`,
    guard: 'return backup ?? (await this.#readBefore(division.before));',
    without: 'return backup;',
    specs: [`${FEED}/backup-log.spec.ts`],
  },
  {
    name: 'a restored Redis passes for what it was before',
    harm: 'The backup goes on as if Redis had lost nothing when its checkpoint was set anew.',
    file: `${FEED}/feed-progress.ts`,
    guard: '`${epoch} ${server}`',
    without: 'server',
    specs: [`${INTEGRATION}/redis-state`],
  },
  {
    name: 'another server passes for the one before',
    harm: 'The backup goes on as if Redis had lost nothing when it came back with what it had on disk.',
    file: `${FEED}/feed-progress.ts`,
    guard: '`${epoch} ${server}`',
    without: 'epoch',
    specs: [`${INTEGRATION}/redis-state`],
  },
  {
    name: 'a record of a backup weighs what it will',
    harm: 'The store refuses the record, and the checkpoint is backed up no more.',
    file: WEIGHT,
    guard: 'return at > 0 && bytes > RECORD_BYTES;',
    without: 'return false;',
    specs: [`${FEED}/checkpoint-backup.spec.ts`, 'libs/checkpoint-backup/src/backup.spec.ts'],
  },
  {
    name: 'the changes of a record of a backup are not weighed',
    harm: 'The store refuses the record, and the checkpoint is backed up no more.',
    file: `${FEED}/checkpoint-backup.ts`,
    guard: 'takeUpToWeight(found, (line) => Buffer.byteLength(line))',
    without: '(takeUpToWeight, found)',
    specs: [`${FEED}/checkpoint-backup.spec.ts`],
  },
  {
    name: 'a lost charge that has a mark is not begun again',
    harm: 'A payment without an outcome is never asked about, since a mark says that its charge has ended.',
    file: `${FEED}/lua/begin-work-6.lua`,
    guard: "if ARGV[3] == 'again' then",
    without: 'if false then',
    specs: [`${INTEGRATION}/given-up`],
  },
];
