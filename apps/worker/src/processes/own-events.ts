import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type ProcessOutput, routesFor } from '#domain/processes';
import type { AppendedEvent } from '#event-store';
import { type Log, upTo, warnSeldom } from '#platform';
import { ParkingGate } from '../feed/parking-gate.js';
import { OWN_EVENTS_KNOWN } from '../limits.js';
import { LOG } from '../tokens.js';
import { ProcessRouter } from './process-router.js';
import {
  type CommandedStream,
  isCommand,
  listCommands,
  runCommands,
  StepCommands,
} from './step-commands.js';

/** The feed had the event first, or has it now: it does what follows by itself. */
const LEFT_TO_FEED = Promise.resolve(false);

/**
 * Goes on at once with events that this process has appended itself, where commands follow from them (decision 0153):
 * the feed brings the same events behind all that stands before them. It waits for what was begun here, so that its
 * checkpoint says what it said before, and does by itself what failed here.
 */
@Injectable()
export class OwnEvents {
  /** By the ids of the events: whether all of what follows is done. */
  readonly #known = new LRUCache<string, Promise<boolean>>(upTo(OWN_EVENTS_KNOWN));

  constructor(
    @Inject(ProcessRouter) private readonly router: Pick<ProcessRouter, 'routeAppended'>,
    @Inject(StepCommands) private readonly commands: Pick<StepCommands, 'run'>,
    @Inject(ParkingGate) private readonly gate: Pick<ParkingGate, 'isHeld'>,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Begins with what follows from a command's event, if anything does. Never throws. */
  goOn({ appended, state }: CommandedStream): void {
    if (appended === undefined || routesFor(appended.type).length === 0) return;
    // What is parked is worked on in the order of its stream.
    if (this.#known.has(appended.id) || this.gate.isHeld(appended)) return;
    const doing = this.#do(appended, state).catch((error: unknown) => {
      warnSeldom(this.log, error, 'what follows from an event is left to the feed');
      return false;
    });
    this.#known.set(appended.id, doing);
  }

  /** For the feed, which has come to an event: resolves with whether all that follows from it is done. */
  async take(eventId: string): Promise<boolean> {
    const doing = this.#known.get(eventId) ?? LEFT_TO_FEED;
    // It is not begun here any more, in case the answer of the append comes behind the event.
    this.#known.set(eventId, LEFT_TO_FEED);
    return doing;
  }

  async #do(event: AppendedEvent, state: unknown): Promise<boolean> {
    const outputs = await this.router.routeAppended(event, state);
    if (!outputs.every(canGoOn)) return false;
    await runCommands(listCommands(event, outputs), async (step, causation) => {
      this.goOn(await this.commands.run(step, causation));
    });
    return true;
  }
}

/** Charges and refunds are in flight before they are jobs: the feed sees to both. */
function canGoOn({ steps }: ProcessOutput): boolean {
  return steps.every(isCommand);
}
