import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { checkoutLinkAggregate } from '#domain/checkout-link';
import type { RecordedEvent } from '#domain/event';
import { paymentAggregate } from '#domain/payment';
import type { ProcessStep } from '#domain/processes';
import { subscriptionAggregate } from '#domain/subscription';
import type { CommandContext, CommandExecutor } from '#event-store';
import { assertDefect, forEachConcurrently, groupBy } from '#platform';
import type { AppDirectory } from '#tenancy';
import { EFFECTS_AT_ONCE } from '../limits.js';
import { type PaymentJob, type PaymentJobData, paymentJobFor } from './payments/payment-jobs.js';
import { type Cause, causeOf, contextFrom } from './causation.js';
import { ofRedis } from '../redis/connect.js';
import type { WorkerKeys } from '../redis/keys.js';
import type { Prepared } from '../feed/prepare.js';
import { PROCESS, unsettledMember } from '../feed/in-flight.js';

interface EffectsParts {
  readonly commands: CommandExecutor;
  readonly apps: Pick<AppDirectory, 'now'>;
  readonly queue: Queue<PaymentJobData>;
  readonly redis: Redis;
  readonly keys: WorkerKeys;
}

/** What becomes of events that cannot be worked on. */
export interface PoisonGate {
  /** Whether the event waits because one before it in its stream does. */
  isHeld(event: RecordedEvent): boolean;
  /** Parks the event's stream for a defect. @throws whatever is none: a fault is nobody's poison. */
  poison(event: RecordedEvent, error: unknown): Promise<void>;
}

/** Carries out what processes want done: commands at once, charges and refunds as jobs. */
export class Effects {
  readonly #parts: EffectsParts;

  constructor(parts: EffectsParts) {
    this.#parts = parts;
  }

  /**
   * Resolves when all of it is durable. Each step is harmless when done twice.
   *
   * @throws Fault of the store or of Redis: the same events are then to be given again.
   */
  async run(prepared: readonly Prepared[], gate: PoisonGate): Promise<void> {
    await this.#addJobs(prepared.flatMap((item) => jobsOf(item)));
    const groups = groupBy(prepared, ({ orderKey }) => orderKey);
    await forEachConcurrently(groups, EFFECTS_AT_ONCE, async (group) => {
      for (const item of group) {
        if (gate.isHeld(item.event)) continue;
        await this.#runCommands(item).catch((error: unknown) => gate.poison(item.event, error));
      }
    });
  }

  async #runCommands({ event, outputs }: Prepared): Promise<void> {
    for (const { process, steps } of outputs) {
      for (const step of steps) {
        if (step.kind === 'charge' || step.kind === 'refund') continue;
        await this.#command(step, causeOf(event, process));
      }
    }
  }

  async #command(step: CommandStep, cause: Cause): Promise<void> {
    const { commands, apps } = this.#parts;
    const context = contextFrom(cause, apps.now(cause));
    const result = await execute(step, commands, context);
    assertDefect(
      result.accepted,
      `${cause.process} was told no: ${result.accepted ? '' : result.rejection.code}`,
    );
  }

  async #addJobs(jobs: readonly PaymentJob[]): Promise<void> {
    if (jobs.length === 0) return;
    const { redis, keys, queue } = this.#parts;
    await ofRedis(redis.zadd(keys.unsettled, ...jobs.flatMap(({ data }) => [0, data.unsettled])));
    await ofRedis(queue.addBulk([...jobs]));
  }
}

type JobStep = Extract<ProcessStep, { kind: 'charge' | 'refund' }>;
type CommandStep = Exclude<ProcessStep, JobStep>;

function execute(step: CommandStep, commands: CommandExecutor, context: CommandContext) {
  const { id } = step;
  switch (step.kind) {
    case 'subscription': {
      const { command, commandId } = step;
      const once = commandId === undefined ? context : { ...context, commandId };
      return commands.execute(subscriptionAggregate, id, command, once);
    }
    case 'payment':
      return commands.execute(paymentAggregate, id, step.command, context);
    case 'checkout_link':
      return commands.execute(checkoutLinkAggregate, id, step.command, context);
  }
}

function jobsOf({ event, outputs }: Prepared): PaymentJob[] {
  const unsettled = unsettledMember(event, PROCESS);
  return outputs.flatMap(({ process, steps }) =>
    steps
      .filter((step): step is JobStep => {
        return step.kind === 'charge' || step.kind === 'refund';
      })
      .map((step) => paymentJobFor(step, causeOf(event, process), unsettled)),
  );
}
