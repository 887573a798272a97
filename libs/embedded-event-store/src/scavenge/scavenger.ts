import { randomUUID } from 'node:crypto';
import { ANY } from '../append/expected-revision.js';
import { serverEvent } from '../append/appender.js';
import type { EventLog } from '../event-log.js';
import type { ProposedEvent } from '../storage/record.js';
import { LINK_TYPE } from '../stream/system-names.js';
import { takeAway, type TakenAway } from './take-away.js';

/** EventStoreDB's names: one stream for each scavenge, and one that links to what is in all of them. */
const ALL_SCAVENGES = '$scavenges';
const STARTED_TYPE = '$scavengeStarted';
const COMPLETED_TYPE = '$scavengeCompleted';

/** The scavenges of a store, one at a time (rules/protocol 8). */
export class Scavenger {
  readonly #stopping = new AbortController();
  #running: { readonly id: string; readonly ended: Promise<void> } | undefined;

  /** @param nodeEndpoint how the events of a scavenge name this server. */
  constructor(
    private readonly log: EventLog,
    private readonly dataDir: string,
    private readonly nodeEndpoint: () => string,
  ) {}

  /** Starts one, or names the one that runs. Its end is an event in `$scavenges-<id>`. */
  start(): { readonly id: string; readonly isNew: boolean } {
    if (this.#running) return { id: this.#running.id, isNew: false };
    const id = randomUUID();
    this.#running = { id, ended: this.#run(id).finally(() => (this.#running = undefined)) };
    return { id, isNew: true };
  }

  /** Ends the one that runs, if any, as `Stopped`. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running?.ended;
  }

  async #run(id: string): Promise<void> {
    const startedAt = performance.now();
    try {
      await this.#say(id, STARTED_TYPE, {});
      const end = await this.#takeAway();
      await this.#say(id, COMPLETED_TYPE, {
        ...end,
        timeTaken: showTimeTaken(performance.now() - startedAt),
      });
    } catch {
      // The store can no longer write, has said so, and is ending.
    }
  }

  async #takeAway(): Promise<object> {
    try {
      const taken = await takeAway(this.log, this.dataDir, this.#stopping.signal);
      return { result: 'Success', ...showTaken(taken) };
    } catch (error) {
      if (this.#stopping.signal.aborted) return { result: 'Stopped', spaceSaved: 0 };
      const why = error instanceof Error ? error.message : String(error);
      return { result: 'Failed', error: why, spaceSaved: 0 };
    }
  }

  async #say(id: string, type: string, what: object): Promise<void> {
    const { appender } = this.log;
    const streamName = `${ALL_SCAVENGES}-${id}`;
    const data = { scavengeId: id, nodeEndpoint: this.nodeEndpoint(), ...what };
    const event = serverEvent(type, Buffer.from(JSON.stringify(data)));
    const said = await appender.append(streamName, ANY, [event]);
    if (said.kind !== 'appended') return;
    await appender.append(ALL_SCAVENGES, ANY, [linkTo(`${said.last.revision}@${streamName}`)]);
  }
}

function showTaken({ events, bytes }: TakenAway): object {
  return { eventsScavenged: events, spaceSaved: Math.max(0, bytes) };
}

function linkTo(target: string): ProposedEvent {
  return { ...serverEvent(LINK_TYPE, Buffer.from(target)), isJson: false };
}

/** As .NET shows a span of time: hours, minutes, seconds and ticks of 100 ns. */
function showTimeTaken(milliseconds: number): string {
  const seconds = (milliseconds / 1000) % 60;
  const minutes = Math.floor(milliseconds / 60_000);
  const parts = [Math.floor(minutes / 60), minutes % 60].map((n) => String(n).padStart(2, '0'));
  return [...parts, seconds.toFixed(7).padStart(10, '0')].join(':');
}
