import { Inject, Injectable } from '@nestjs/common';
import type { CreatedApp } from '#domain/app';
import type { Partitions } from '#event-store';
import type { Lease } from '#projection-engine';
import { LEASE, PARTITIONS } from '../tokens.js';
import { ClockParts } from './clock-parts.js';
import { TestClockCharges } from './test-clock-charges.js';
import { TestClockCommands } from './test-clock-commands.js';

/**
 * Moves the test clocks of apps whose own partition is this one (rules/lifecycle 9): to the lowest due time over all
 * partitions, when every partition has settled the due dates before.
 */
@Injectable()
export class TestClockConductor {
  constructor(
    private readonly clocks: TestClockCommands,
    private readonly parts: ClockParts,
    private readonly charges: TestClockCharges,
    @Inject(PARTITIONS) private readonly partitions: Partitions,
    @Inject(LEASE) private readonly lease: Lease,
  ) {}

  /** Moves the clock on, if it can. @returns whether it did. @throws Fault of the store or of Redis. */
  async conduct(app: CreatedApp): Promise<boolean> {
    if (this.partitions.find(app.appId) !== this.lease.partition) return false;
    const advance = await this.clocks.findAdvance(app.appId);
    if (advance === null) return false;
    const parts = await this.parts.readAll(app.appId);
    const { standsAt, target } = advance;
    const isSettled = parts.every((part) => part?.standsAt === standsAt && part.target === target);
    if (!isSettled) return false;
    // An outcome may have come since its partition spoke: the charge holds the clock from then on.
    const restsOn = parts.flatMap((part) => part?.restsOn ?? []);
    if (!(await this.charges.areLeftPending(restsOn))) return false;
    const dueDates = parts.flatMap((part) => part?.next ?? []).sort();
    const [next] = dueDates;
    if (next === undefined) await this.clocks.reachTarget(app, advance);
    else await this.clocks.step(app, advance, next);
    return true;
  }
}
