import type { Mutant } from './mutant.js';

const BACKUP = 'apps/worker/src/backup';
const INTEGRATION = 'test/integration/worker';

/** Guards of what Redis has lost: how the backup notices it. */
export const CHECKPOINT_BACKUP_MUTANTS: readonly Mutant[] = [
  {
    name: 'a backup does not look whether Redis has lost something while it was read',
    harm: 'Work in flight that an emptied Redis does not name passes for work that has ended.',
    file: `${BACKUP}/backup-snapshot.ts`,
    guard: 'if (after?.identity !== before.identity) return undefined;',
    without: '',
    specs: [`${BACKUP}/backup-snapshot.spec.ts`],
  },
  {
    name: 'a partition without a backup goes on from nothing',
    harm: 'After a restore, all webhooks of a partition that had written none since its last start are sent again.',
    file: `${BACKUP}/backup-log.ts`,
    guard: 'return backup ?? (await this.#readBefore(division.before));',
    without: 'return backup;',
    specs: [`${BACKUP}/backup-log.spec.ts`],
  },
  {
    name: 'a restored Redis passes for what it was before',
    harm: 'The backup goes on as if Redis had lost nothing when its checkpoint was set anew.',
    file: 'apps/worker/src/redis/feed-checkpoint.ts',
    guard: '`${epoch} ${server}`',
    without: 'server',
    specs: [`${INTEGRATION}/redis-state`],
  },
  {
    name: 'another server passes for the one before',
    harm: 'The backup goes on as if Redis had lost nothing when it came back with what it had on disk.',
    file: 'apps/worker/src/redis/feed-checkpoint.ts',
    guard: '`${epoch} ${server}`',
    without: 'epoch',
    specs: [`${INTEGRATION}/redis-state`],
  },
  {
    name: 'a lost charge that has a mark is not begun again',
    harm: 'A payment without an outcome is never asked about, since a mark says that its charge has ended.',
    file: 'apps/worker/src/redis/lua/begin-work-5.lua',
    guard: "if ARGV[3] == 'again' then",
    without: 'if false then',
    specs: [`${INTEGRATION}/given-up`],
  },
];
