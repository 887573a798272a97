import { Inject, Injectable } from '@nestjs/common';
import type { ProcessOutput } from '#domain/processes';
import { Fault, forEachConcurrently, groupBy } from '#platform';
import { inFlightMember, PROCESS } from '#worker-state';
import { isConflict, retryConflicts } from '../conflict-retry.js';
import type { Planned, PoisonGate } from '../feed/event-consumer.js';
import { InFlightSet } from '../redis/in-flight-set.js';
import { BEGUN_AGAIN_AFTER_MS, CALLS_AT_ONCE } from '../limits.js';
import { causationOf } from '../payments/payment-commands.js';
import { type PaymentJob, paymentJobFor } from '../payments/payment-jobs.js';
import { PaymentRunner } from '../payments/payment-runner.js';
import { isCommand, isGatewayStep, listCommands, StepCommands } from './step-commands.js';

type PlannedOutputs = Planned<readonly ProcessOutput[]>;

/** Carries out the steps of processes: commands at once, charges and refunds as jobs. */
@Injectable()
export class StepExecutor {
  constructor(
    @Inject(StepCommands) private readonly commands: Pick<StepCommands, 'run'>,
    @Inject(PaymentRunner) private readonly payments: Pick<PaymentRunner, 'add'>,
    private readonly inFlight: InFlightSet,
  ) {}

  /**
   * Resolves when all of it is durable. Each step is harmless when done twice. A command whose stream
   * others keep changing is tried again by itself while the others are done; in the end it parks the
   * stream of its event, so that the batch goes on without it.
   *
   * @throws Fault of the store or of Redis: the same events are then to be given again.
   */
  async execute(planned: readonly PlannedOutputs[], gate: PoisonGate): Promise<void> {
    await this.#addJobs(planned.flatMap((item) => toJobs(item)));
    const groups = groupBy(planned, findOrderKey);
    await forEachConcurrently(groups, CALLS_AT_ONCE, async (group) => {
      for (const item of group) {
        if (gate.isHeld(item.event)) continue;
        await this.#runCommands(item).catch((error: unknown) =>
          gate.poison(item.event, toLasting(error)),
        );
      }
    });
  }

  async #runCommands({ event, plan }: PlannedOutputs): Promise<void> {
    for (const { step, causation } of listCommands(event, plan)) {
      await retryConflicts(() => this.commands.run(step, causation));
    }
  }

  /**
   * In flight first: a job that is lost with this process before it was noted would never be begun again. One
   * that is lost right after is found by the sweep when it is due.
   */
  async #addJobs(jobs: readonly PaymentJob[]): Promise<void> {
    if (jobs.length === 0) return;
    const dueAtMs = Date.now() + BEGUN_AGAIN_AFTER_MS;
    const members = jobs.map(({ data }) => ({ member: data.inFlight, dueAtMs }));
    const begun = new Set(await this.inFlight.begin(members));
    this.payments.add(jobs.filter(({ data }) => begun.has(data.inFlight)));
  }
}

/** A conflict that outlasted its attempts must not give the whole batch again. */
function toLasting(error: unknown): unknown {
  if (!isConflict(error)) return error;
  return new Fault('conflict', error.message, { retryable: false, cause: error });
}

/** Commands to the same stream are given in the order of the events that they follow from. */
function findOrderKey({ event, plan }: PlannedOutputs): string {
  const command = plan.flatMap(({ steps }) => steps).find(isCommand);
  return command === undefined ? event.streamName : `${command.kind} ${command.id}`;
}

function toJobs({ event, plan }: PlannedOutputs): PaymentJob[] {
  const inFlight = inFlightMember(event, PROCESS);
  return plan.flatMap(({ process, steps }) =>
    steps
      .filter(isGatewayStep)
      .map((step) => paymentJobFor(step, causationOf(event, process), inFlight)),
  );
}
