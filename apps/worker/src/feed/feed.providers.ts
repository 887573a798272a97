import { type CommandExecutor, type Partitions, StatesAtRevision } from '#event-store';
import { STATES_KEPT } from '../limits.js';
import { COMMANDS, PARTITIONS } from '../tokens.js';
import { BackupLog } from '../backup/backup-log.js';
import { BackupSnapshot } from '../backup/backup-snapshot.js';
import { CursorSet } from '../redis/cursor-set.js';
import { CheckpointBackup, ExhaustedList } from '../backup/checkpoint-backup.js';
import { EventConsumers } from './event-consumer.js';
import { EventDispatcher } from './event-dispatcher.js';
import { EventReader } from './event-reader.js';
import { ExhaustedSet } from '../redis/exhausted-set.js';
import { FeedCheckpoint } from '../redis/feed-checkpoint.js';
import { InFlightSet } from '../redis/in-flight-set.js';
import { InFlightWork } from './in-flight-work.js';
import { ParkedRetry } from './parked-retry.js';
import { ParkedSet } from '../redis/parked-set.js';
import { ParkingGate } from './parking-gate.js';
import { PartitionFeed } from './partition-feed.js';
import { PartitionScripts } from '../redis/partition-scripts.js';
import { PastEvents } from './past-events.js';
import { ProgressNotifier } from './progress-notifier.js';
import { Recovery, RestoredState } from './recovery.js';

/**
 * The events of the store, given to consumers (rules/events 9). The feed knows none of them: processes, delivery and the
 * billing clock import it, and it imports none of theirs.
 */
export const FEED_PROVIDERS = [
  BackupLog,
  BackupSnapshot,
  CheckpointBackup,
  CursorSet,
  EventConsumers,
  EventDispatcher,
  EventReader,
  ExhaustedList,
  ExhaustedSet,
  FeedCheckpoint,
  InFlightSet,
  InFlightWork,
  ParkedRetry,
  ParkedSet,
  ParkingGate,
  PartitionFeed,
  PartitionScripts,
  PastEvents,
  ProgressNotifier,
  Recovery,
  RestoredState,
  {
    provide: StatesAtRevision,
    useFactory: (commands: CommandExecutor, { count }: Partitions) =>
      new StatesAtRevision(commands, Math.ceil(STATES_KEPT / count)),
    inject: [COMMANDS, PARTITIONS],
  },
];
