import { Injectable } from '@nestjs/common';
import type { Position, RecordedEvent } from '#domain/event';
import { assertDefect } from '#platform';
import type { InFlight } from '#worker-state';

/** The work that a consumer wants done for an event; known before anything is done. */
export interface Planned<Plan> {
  readonly event: RecordedEvent;
  readonly plan: Plan;
}

/** The fate of events that cannot be worked on. */
export interface PoisonGate {
  /** Whether the event waits because one before it in its stream does. */
  isHeld(event: RecordedEvent): boolean;
  /**
   * Parks the event's stream.
   *
   * @param begunUpTo work of events up to here was begun before; empty where none was.
   * @throws the error itself when the world failed: then the batch comes again.
   */
  poison(event: RecordedEvent, error: unknown, begunUpTo?: Position): Promise<void>;
}

/**
 * One way of acting on events: processes are one consumer, the delivery of webhooks is another. The
 * feed knows no more of them than this, so that they depend on it and it on none of them.
 */
export interface EventConsumer<Plan = unknown> {
  /** The streams whose events it takes, by the category that their names begin with. */
  readonly categories: readonly string[];
  /**
   * Looks at an event and the state at that event, and does nothing.
   *
   * @returns undefined where nothing follows from the event.
   * @throws Fault of the store; anything that no retry mends parks the stream.
   */
  plan(event: RecordedEvent): Promise<Plan | undefined>;
  /**
   * Resolves when all of it is durable. The plans are in the store's order, and each is harmless when
   * done twice.
   *
   * @param inFlight limits it to this work, all of one target, which was lost with Redis.
   * @throws Fault: the same events are then given again.
   */
  perform(
    planned: readonly Planned<Plan>[],
    gate: PoisonGate,
    inFlight?: readonly InFlight[],
  ): Promise<void>;
  /**
   * Called when the feed has found where to go on, before it gives any events: after a start, an error, and a
   * loss of Redis. All that is in flight stands in Redis then.
   *
   * @throws Fault of the store or of Redis; Fenced.
   */
  resume(): Promise<void>;
  /** Whether work in flight under this target is its own. */
  ownsTarget(target: string): boolean;
  /**
   * Work that Redis took for being in flight, after it had lost something, and that had ended.
   *
   * @throws Fault of Redis; Fenced.
   */
  endLost(inFlight: InFlight): Promise<void>;
}

/** The consumers of this process; each adds itself when its module starts. */
@Injectable()
export class EventConsumers {
  readonly #all: EventConsumer[] = [];

  get all(): readonly EventConsumer[] {
    return this.#all;
  }

  /** The categories of the streams whose events are wanted. */
  get categories(): string[] {
    const categories = new Set(this.#all.flatMap((consumer) => consumer.categories));
    return [...categories];
  }

  /** The consumer that began work in flight under this target. @throws Defect for a target of none of them. */
  ownerOf(target: string): EventConsumer {
    const owner = this.#all.find((consumer) => consumer.ownsTarget(target));
    assertDefect(owner !== undefined, `no consumer owns ${target}`);
    return owner;
  }

  add<Plan>(consumer: EventConsumer<Plan>): void {
    // A plan is given back to the consumer that made it, and to no other.
    this.#all.push(consumer);
  }
}
