import type { Mutant } from './mutant.js';

/** Guards by which a crash, or a loss of Redis, loses and repeats nothing. */
export const RECOVERY_MUTANTS: readonly Mutant[] = [
  {
    name: 'what a partition has already is applied again',
    harm: 'Where streams meet, events are counted twice.',
    file: 'libs/projection-engine/src/partition/fold-batch.ts',
    guard: 'return !this.wereHeldBack && event.position <= (document.position ?? NOTHING);',
    without: 'return false;',
    specs: ['libs/projection-engine/src/partition/fold-batch.spec.ts'],
  },
  {
    name: 'the checkpoint moves before the work',
    harm: 'What an event asks for is lost with the process.',
    file: 'apps/worker/src/feed/batch-handler.ts',
    guard: '    const events = await this.dispatcher.admit(items);\n',
    without:
      '    await this.checkpoint.advance(upTo);\n    const events = await this.dispatcher.admit(items);\n',
    specs: ['apps/worker/src/feed/batch-handler.spec.ts'],
  },
  {
    name: 'the backup is not compared with the checkpoint',
    harm: 'A Redis that lost its last third lets newer messages out before lost older ones.',
    file: 'apps/worker/src/feed/recovery.ts',
    guard: "kept >= (backup?.position ?? '')",
    without: "kept >= ''",
    specs: ['apps/worker/src/feed/recovery.spec.ts'],
  },
  {
    name: 'what is in flight is not begun again',
    harm: 'A charge or message that was in flight when Redis was lost is never made.',
    file: 'apps/worker/src/feed/recovery.ts',
    guard: '    await this.inFlight.restore(toDueTimes(backup), position);\n',
    without: '',
    specs: ['apps/worker/src/feed/recovery.spec.ts'],
  },
  {
    name: 'the checkpoint stands before what was in flight is begun again',
    harm: 'A worker that dies over it forgets what was in flight.',
    file: 'apps/worker/src/feed/recovery.ts',
    guard:
      '    await this.inFlight.restore(toDueTimes(backup), position);\n    return this.checkpoint.standAt(position);',
    without:
      '    const stood = await this.checkpoint.standAt(position);\n    await this.inFlight.restore(toDueTimes(backup), position);\n    return stood;',
    specs: ['apps/worker/src/feed/recovery.spec.ts'],
  },
  {
    name: 'a charge that has ended is begun again',
    harm: 'After a replay the gateway is asked for what was settled long ago.',
    file: 'apps/worker/src/processes/step-executor.ts',
    guard: 'jobs.filter(({ data }) => begun.has(data.inFlight))',
    without: '[...jobs]',
    specs: ['apps/worker/src/processes/step-executor.spec.ts'],
  },
  {
    name: 'charges begin before it is known what Redis has lost',
    harm: 'A charge that had ended is asked for again.',
    file: 'apps/worker/src/jobs/fair-runner.ts',
    guard: 'return this.#isStarted && performance.now() < this.lease.lastsUntilMs;',
    without: 'return performance.now() < this.lease.lastsUntilMs;',
    specs: ['apps/worker/src/payments/payment-runner.spec.ts'],
  },
  {
    name: 'a replaced worker goes through what it has in memory',
    harm: 'After a pause a worker charges thousands of payments beside its successor.',
    file: 'apps/worker/src/jobs/fair-runner.ts',
    guard: 'return this.#isStarted && performance.now() < this.lease.lastsUntilMs;',
    without: 'return this.#isStarted;',
    specs: ['apps/worker/src/payments/payment-runner.spec.ts'],
  },
  {
    name: 'a backup is appended at any revision',
    harm: 'A former holder writes over what its successor has backed up.',
    file: 'libs/worker-state/src/backup-stream.ts',
    guard: "const expected = at === -1 ? 'no_stream' : at;",
    without: "const expected = 'any' as const;",
    specs: ['apps/worker/src/backup/backup-log.spec.ts'],
  },
  {
    name: 'another server passes for the one before',
    harm: 'The backup goes on as if Redis had lost nothing when it came back with what it had on disk.',
    file: 'apps/worker/src/redis/feed-checkpoint.ts',
    guard: '`${epoch} ${server}`',
    without: 'epoch',
    specs: ['test/integration/worker/redis-state'],
  },
  {
    name: 'an event store whose end is missing starts',
    harm: 'The next append takes a position that is in use, and an event is written over.',
    file: 'libs/embedded-event-store/src/start-event-store.ts',
    guard: '    store.requireEnd();\n',
    without: '',
    specs: ['test/contract/event-store/embedded/damage'],
  },
];
