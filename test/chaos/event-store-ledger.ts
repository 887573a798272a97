import { strict as assert } from 'node:assert';
import type { EventStoreDBClient } from '@eventstore/db-client';

export interface Acknowledged {
  readonly stream: string;
  readonly ids: readonly string[];
  readonly firstRevision: number;
  readonly lastPosition: bigint;
}

const STREAM_PREFIX = 'chaos-';

/** The event store's promises so far, and its content as seen. */
export class Ledger {
  /** The event at each position; a position that is read again must give the same one. */
  readonly #held = new Map<bigint, string>();
  readonly #revisions = new Map<string, number>();
  readonly #acknowledged: Acknowledged[] = [];
  readonly #ids = new Set<string>();
  #unverified = 0;
  #verifiedPosition = 0n;
  #retries = 0;

  get lastPosition(): bigint {
    return this.#verifiedPosition;
  }

  acknowledge(append: Acknowledged, wasRetry: boolean): void {
    this.#acknowledged.push(append);
    if (wasRetry) this.#retries += 1;
  }

  /** A reader or subscriber saw this event: it may never be another one, nor be gone. */
  saw(position: bigint, id: string): void {
    const known = this.#held.get(position);
    assert(known === undefined || known === id, `position ${position} has been given twice`);
    this.#held.set(position, id);
  }

  /** Reads new events and compares all of them with the promises. */
  async verify(client: EventStoreDBClient): Promise<void> {
    const present = new Map<bigint, string>();
    const from = { commit: this.#verifiedPosition, prepare: this.#verifiedPosition };
    for await (const { event } of client.readAll({ fromPosition: from })) {
      if (!event) continue;
      const position = event.position.commit;
      present.set(position, event.id);
      if (position <= this.#verifiedPosition) continue;
      this.#verifiedPosition = position;
      this.saw(position, event.id);
      if (event.streamId.startsWith(STREAM_PREFIX)) {
        this.#checkNext(event.streamId, Number(event.revision), event.id);
      }
    }
    const least = from.commit;
    for (const [position, id] of this.#held) {
      if (position < least) continue;
      assert.equal(present.get(position), id, `an event that was read is gone from ${position}`);
    }
    for (; this.#unverified < this.#acknowledged.length; this.#unverified += 1) {
      const { ids, stream, lastPosition } = this.#acknowledged[this.#unverified]!;
      for (const id of ids) assert(this.#ids.has(id), `an acknowledged event of ${stream} is lost`);
      assert.equal(this.#held.get(lastPosition), ids.at(-1), 'an acknowledged position has moved');
    }
  }

  /** Reads all there is, and every stream by itself. */
  async verifyFromTheStart(client: EventStoreDBClient): Promise<void> {
    await this.verify(client);
    const seen = [...this.#held.keys()].sort((a, b) => (a < b ? -1 : 1));
    const all: bigint[] = [];
    for await (const { event } of client.readAll()) {
      all.push(event!.position.commit);
      assert.equal(this.#held.get(event!.position.commit), event!.id, 'an event has changed');
    }
    assert.deepEqual(all, seen, '$all is not what has been read before');
    for (const [stream, last] of this.#revisions) {
      let next = 0;
      for await (const { event } of client.readStream(stream)) {
        assert.equal(Number(event!.revision), next, `${stream} has a gap`);
        next += 1;
      }
      assert.equal(next, last + 1, `${stream} has lost its end`);
    }
  }

  /** A subscriber over all lives of the store: each event of the streams once, in order. */
  compareFollowed(followed: readonly bigint[]): void {
    const expected: bigint[] = [];
    for (const [position, id] of this.#held) if (this.#ids.has(id)) expected.push(position);
    expected.sort((a, b) => (a < b ? -1 : 1));
    assert.deepEqual(followed, expected, 'the subscriber missed or repeated events');
  }

  summary(): string {
    const appends = this.#acknowledged.length;
    return `${appends} appends acknowledged (${this.#retries} by a retry), ${this.#ids.size} events held`;
  }

  #checkNext(stream: string, revision: number, id: string): void {
    const last = this.#revisions.get(stream) ?? -1;
    assert.equal(revision, last + 1, `${stream} has a gap after revision ${last}`);
    assert(!this.#ids.has(id), `an event of ${stream} was written twice`);
    this.#revisions.set(stream, revision);
    this.#ids.add(id);
  }
}
