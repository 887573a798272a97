import { Injectable } from '@nestjs/common';
import { type Backup, PROCESS, readInFlight } from '#worker-state';
import { CursorSet } from '../redis/cursor-set.js';
import type { Member } from '../redis/in-flight-set.js';
import { ExhaustedSet } from '../redis/exhausted-set.js';
import { InFlightWork } from './in-flight-work.js';
import { ParkingGate } from './parking-gate.js';

/** The state of a partition in Redis beside its checkpoint. Calls throw Fault of the store or of Redis, and Fenced. */
@Injectable()
export class RestoredState {
  constructor(
    private readonly gate: ParkingGate,
    private readonly exhausted: ExhaustedSet,
    private readonly cursors: CursorSet,
    private readonly inFlight: InFlightWork,
  ) {}

  /** Has Redis hold the state that a backup names. */
  async restore(backup: Backup): Promise<void> {
    const { position } = backup;
    await this.gate.restore(backup.parked, position);
    await this.exhausted.restore(backup.exhausted);
    await this.cursors.restore(backup.cursors);
    await this.inFlight.restore(toDueTimes(backup), position);
  }

  /** Has this process load its part of that into memory. */
  async load(): Promise<void> {
    await this.gate.load();
    await this.cursors.load();
  }
}

/** By the wall clock. The gateway is asked at once where no later time is named. */
function toDueTimes({ inFlight }: Backup): Member[] {
  return inFlight.map(({ member, askAgainAt = '' }) => {
    const isOfGateway = readInFlight(member)?.target === PROCESS;
    return { member, dueAtMs: isOfGateway ? Date.parse(askAgainAt) || 0 : null };
  });
}
