import { randomUUID } from 'node:crypto';
import { ANY } from '../append/expected-revision.js';
import { serverEvent } from '../append/appender.js';
import type { EventLog } from '../event-log.js';
import { Unavailable } from '../failures.js';
import type { LogStore } from '../storage/log-store.js';
import { type LoggedRecord, type ProposedEvent, recordType } from '../storage/record.js';
import { LINK_TYPE } from '../stream/stream-metadata.js';
import { takeAway, type TakenAway } from './take-away.js';

/** EventStoreDB's names: one stream for each scavenge, and one of links to all of their events. */
const ALL_SCAVENGES = '$scavenges';
const STARTED_TYPE = '$scavengeStarted';
const COMPLETED_TYPE = '$scavengeCompleted';

/** The scavenges of a store, one at a time (rules/protocol 8). */
export class Scavenger {
  readonly #stopping = new AbortController();
  #running: string | undefined;
  #ended = Promise.resolve();

  /** @param nodeEndpoint how the events of a scavenge name this server. */
  constructor(
    private readonly log: EventLog,
    private readonly dataDir: string,
    private readonly nodeEndpoint: () => string,
  ) {}

  /**
   * Starts one, or names the one that runs. Its end is an event in `$scavenges-<id>`.
   *
   * @throws Unavailable when the store stops.
   */
  start(): { readonly id: string; readonly isNew: boolean } {
    if (this.#stopping.signal.aborted) throw new Unavailable('The event store is stopping.');
    if (this.#running !== undefined) return { id: this.#running, isNew: false };
    const id = randomUUID();
    this.#running = id;
    this.#ended = this.#run(id);
    return { id, isNew: true };
  }

  /** Ends the one that runs, if any, as `Stopped`; none begins any more. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#ended;
  }

  /** Says of the last one that it was interrupted, where it began and did not end before the store did. */
  async endInterrupted(): Promise<void> {
    const last = this.#findLast();
    if (last?.type !== STARTED_TYPE) return;
    await this.#say(last.id, COMPLETED_TYPE, { ...ended('Interrupted'), spaceSaved: 0 });
  }

  #findLast(): { readonly id: string; readonly type: string } | undefined {
    const { store } = this.log;
    const link = findLastEvent(store, ALL_SCAVENGES);
    const streamName = link && store.data(link).toString('utf8').replace(/^\d+@/, '');
    const event = streamName === undefined ? undefined : findLastEvent(store, streamName);
    if (streamName === undefined || !event) return undefined;
    return { id: streamName.slice(ALL_SCAVENGES.length + 1), type: recordType(event.record) };
  }

  async #run(id: string): Promise<void> {
    const startedAt = performance.now();
    try {
      await this.#say(id, STARTED_TYPE, {});
      const end = await this.#takeAway();
      // Before its end can be read: the next one begins for those who waited for that.
      this.#running = undefined;
      const timeTaken = showTimeTaken(performance.now() - startedAt);
      await this.#say(id, COMPLETED_TYPE, { ...end, timeTaken });
    } catch {
      // The store can no longer write, has said so, and is ending.
    }
  }

  async #takeAway(): Promise<object> {
    try {
      const taken = await takeAway(this.log, this.dataDir, this.#stopping.signal);
      return { ...ended('Success'), ...showTaken(taken) };
    } catch (error) {
      if (this.#stopping.signal.aborted) return { ...ended('Stopped'), spaceSaved: 0 };
      const why = error instanceof Error ? error.message : String(error);
      return { ...ended('Failed', why), spaceSaved: 0 };
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

function findLastEvent(store: LogStore, streamName: string): LoggedRecord | undefined {
  const number = store.streamNumber(streamName);
  const entry = number === undefined ? undefined : store.lastEntry(number);
  return entry && { position: entry.position, record: store.event(streamName, entry) };
}

/** A node names no error, too, where there is none. */
function ended(result: string, error: string | null = null): object {
  return { result, error };
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
