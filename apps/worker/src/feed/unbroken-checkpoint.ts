import { Fault } from '#platform';
import {
  type Checkpoint,
  type CommitOutcome,
  encodeCheckpoint,
  type Fence,
  FencedCheckpoint,
} from '#projection-engine';
import { loadScript, type Redis } from '#redis';

const readCheckpoint = loadScript(new URL('./lua/read-checkpoint-1.lua', import.meta.url));
const moveCheckpoint = loadScript(new URL('./lua/move-checkpoint-2.lua', import.meta.url));

/**
 * A checkpoint behind acts of their own: it moves only where the server that was there when it was loaded
 * has been there all along. Another one, after a failover or a restart, may lack the last of these acts,
 * though the checkpoint stands where it stood; they are then done again (decision 0085).
 */
export class UnbrokenCheckpoint extends FencedCheckpoint {
  readonly #redis: Redis;
  readonly #key: string;
  readonly #fence: Fence;
  #server = '';

  constructor(redis: Redis, key: string, fence: Fence) {
    super(redis, key, fence);
    this.#redis = redis;
    this.#key = key;
    this.#fence = fence;
  }

  override async load(): Promise<Checkpoint | undefined> {
    const { stored, server } = await this.read();
    this.know(stored);
    this.#server = server;
    return this.current;
  }

  /** What Redis has now, and the name of the server. What is known here stays. @throws Fault of Redis. */
  protected async read(): Promise<{ readonly stored: string; readonly server: string }> {
    // The script's header says what it answers.
    const reply = (await readCheckpoint(this.#redis, [this.#key], [])) as [string | null, string];
    return { stored: reply[0] ?? '', server: reply[1] };
  }

  override async commit(next: Checkpoint | undefined): Promise<CommitOutcome> {
    const stored = next === undefined ? '' : encodeCheckpoint(next);
    const args = [this.#fence.token, this.stored, stored, this.#server];
    // The script's header says what it answers.
    const outcome = (await moveCheckpoint(this.#redis, [this.#fence.key, this.#key], args)) as
      'applied' | 'fenced';
    if (outcome === 'applied') this.know(stored);
    return outcome;
  }

  override async verify(): Promise<void> {
    const known = this.#server;
    await super.verify();
    if (this.#server === known) return;
    // A batch that is under way was begun with the former one, and must not end with this one.
    this.#server = known;
    const message = `${this.#key} is kept by another server now, which may lack what was done last`;
    throw new Fault('conflict', message, { retryable: true });
  }
}
