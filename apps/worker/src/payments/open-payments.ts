import { Inject, Injectable } from '@nestjs/common';
import type { Lease, ReadModels } from '#projection-engine';
import type { TimeRange } from '#projection-engine/define';
import { payments } from '#projections';
import { LEASE, READ_MODELS } from '../tokens.js';

/** Lists payments of the partition by their missing outcome: of their charge, or of one of their refunds. */
@Injectable()
export class OpenPayments {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: Pick<ReadModels, 'ask'>,
    @Inject(LEASE) private readonly lease: Pick<Lease, 'partition'>,
  ) {}

  /** Those that were asked for by a time, the oldest first. @throws Fault of Redis. */
  find(query: 'pending' | 'refunding', range: Omit<TimeRange, 'partition'>) {
    return this.readModels.ask(payments)[query]({ ...range, partition: this.lease.partition });
  }
}
