import { Module } from '@nestjs/common';
import { BackupLog } from './backup-log.js';
import { BackupSnapshot } from './backup-snapshot.js';
import { BatchHandler } from './batch-handler.js';
import { CursorSet } from './cursor-set.js';
import { CheckpointBackup } from './checkpoint-backup.js';
import { EventConsumers } from './event-consumer.js';
import { EventDispatcher } from './event-dispatcher.js';
import { EventReader } from './event-reader.js';
import { ExhaustedList } from './exhausted-list.js';
import { ExhaustedSet } from './exhausted-set.js';
import { FeedCheckpoint } from './feed-checkpoint.js';
import { FeedWindow } from './feed-window.js';
import { InFlightSet } from './in-flight-set.js';
import { InFlightWork } from './in-flight-work.js';
import { ParkedRetry } from './parked-retry.js';
import { ParkedSet } from './parked-set.js';
import { ParkingGate } from './parking-gate.js';
import { PartitionFeed } from './partition-feed.js';
import { PartitionScripts } from './partition-scripts.js';
import { ProgressNotifier } from './progress-notifier.js';
import { RecentEvents } from './recent-events.js';
import { Recovery } from './recovery.js';
import { StateAtRevisionCache } from './state-at-revision-cache.js';

/**
 * The events of the store, given to consumers (rules/events 9). It knows none of them: processes, delivery
 * and the billing clock import this module, and it imports none of theirs.
 */
@Module({
  providers: [
    BackupLog,
    BackupSnapshot,
    BatchHandler,
    CheckpointBackup,
    CursorSet,
    EventConsumers,
    EventDispatcher,
    EventReader,
    ExhaustedList,
    ExhaustedSet,
    FeedCheckpoint,
    FeedWindow,
    InFlightSet,
    InFlightWork,
    ParkedRetry,
    ParkedSet,
    ParkingGate,
    PartitionFeed,
    PartitionScripts,
    ProgressNotifier,
    RecentEvents,
    Recovery,
    StateAtRevisionCache,
  ],
  exports: [
    CheckpointBackup,
    CursorSet,
    EventConsumers,
    EventReader,
    FeedCheckpoint,
    FeedWindow,
    InFlightSet,
    InFlightWork,
    ParkingGate,
    PartitionFeed,
    PartitionScripts,
    ProgressNotifier,
    RecentEvents,
    StateAtRevisionCache,
  ],
})
export class FeedModule {}
