import { Injectable, type OnModuleInit } from '@nestjs/common';
import { checkoutLinkAggregate } from '#domain/checkout-link';
import type { RecordedEvent } from '#domain/event';
import { orderAggregate } from '#domain/order';
import { paymentAggregate } from '#domain/payment';
import { playerPlansAggregate } from '#domain/player-plans';
import type { ProcessOutput } from '#domain/processes';
import { subscriptionAggregate } from '#domain/subscription';
import { type InFlight, PROCESS } from '#worker-state';
import {
  type EventConsumer,
  EventConsumers,
  type Planned,
  type PoisonGate,
} from '../feed/event-consumer.js';
import { InFlightSet } from '../redis/in-flight-set.js';
import { ProcessRouter } from './process-router.js';
import { StepExecutor } from './step-executor.js';

type Outputs = readonly ProcessOutput[];

/** The processes as a consumer of the feed: events are routed, and the steps are carried out. */
@Injectable()
export class ProcessConsumer implements EventConsumer<Outputs>, OnModuleInit {
  readonly categories = [
    checkoutLinkAggregate,
    orderAggregate,
    paymentAggregate,
    playerPlansAggregate,
    subscriptionAggregate,
  ].map(({ category }) => category);

  constructor(
    private readonly consumers: EventConsumers,
    private readonly router: ProcessRouter,
    private readonly executor: StepExecutor,
    private readonly inFlight: InFlightSet,
  ) {}

  onModuleInit(): void {
    this.consumers.add(this);
  }

  async plan(event: RecordedEvent): Promise<Outputs | undefined> {
    const outputs = await this.router.route(event);
    return outputs.length === 0 ? undefined : outputs;
  }

  async perform(planned: readonly Planned<Outputs>[], gate: PoisonGate): Promise<void> {
    await this.executor.execute(planned, gate);
  }

  async resume(): Promise<void> {
    // Charges and refunds are taken up when they are due.
  }

  ownsTarget(target: string): boolean {
    return target === PROCESS;
  }

  async endLost({ member }: InFlight): Promise<void> {
    await this.inFlight.endLost([member]);
  }
}
