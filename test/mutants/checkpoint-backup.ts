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
    specs: ['libs/checkpoint-backup/src/backup.spec.ts'],
  },
  {
    name: 'the changes of a record of a backup are not weighed',
    harm: 'The store refuses the record, and the checkpoint is backed up no more.',
    file: 'libs/checkpoint-backup/src/changes.ts',
    guard: 'count <= 1 || weigh(changes) <= RECORD_BYTES',
    without: 'weigh(changes) <= RECORD_BYTES || RECORD_BYTES > 0',
    specs: [`${FEED}/checkpoint-backup-load.spec.ts`],
  },
  {
    name: 'what is named of a full load is what its lines weigh',
    harm: 'The position stands still under load, and a loss of Redis repeats all that was sent since.',
    file: 'libs/checkpoint-backup/src/changes.ts',
    guard: 'weigh(changes) <= RECORD_BYTES',
    without: 'weigh(lines.slice(0, count)) <= RECORD_BYTES',
    specs: [`${FEED}/checkpoint-backup-load.spec.ts`],
  },
  {
    name: 'changes that no record names wait for the next second',
    harm: 'More that begins than one record holds keeps the position where it was, for as long as it goes on.',
    file: `${FEED}/checkpoint-backup.ts`,
    guard: "if ((await this.#writeOne(isNew)) === 'all') return;",
    without: 'await this.#writeOne(isNew);\n        return;',
    specs: [`${FEED}/checkpoint-backup-load.spec.ts`],
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
