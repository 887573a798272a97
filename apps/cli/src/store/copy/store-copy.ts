import type { Position } from '#domain/event';
import type { KnownNamespace, NamespaceIdentity } from '#event-store';
import { isRetryableFault, jitteredDelayMs, sleepUnlessAborted } from '#platform';
import { CliError } from '../../cli-error.js';
import { Copier } from './copier.js';
import { CopyLog } from './copy-log.js';
import { type CopyPace, UNPACED } from './copy-pace.js';
import { type CopiedStores, type CopyWindow, readWindows } from './copy-windows.js';
import { OUT_OF_REACH_MS, RETRY_BASE_MS, RETRY_CAP_MS } from './limits.js';

/** Learns how far the copy is, window by window. */
export interface CopyObserver {
  /** A pass begins, from here to the present end of the source's log. */
  begins(after: Position, head: Position): void;
  wrote(window: CopyWindow): void;
}

/** The copy of one namespace from a store into another, which continues an earlier one. */
export class StoreCopy {
  /** Events that were written, or were there already, in this run. */
  eventsWritten = 0;

  constructor(
    private readonly stores: CopiedStores,
    readonly identity: NamespaceIdentity,
    private readonly observer: CopyObserver,
    private readonly pace: CopyPace = UNPACED,
  ) {}

  /**
   * @param identity of the ledger in the source.
   * @param pace of the copy, for the sake of the source's programs; they are stopped unless it is given.
   * @throws CliError where the namespace is known in the target: programs may write there; Fault of a store.
   */
  static async begin(
    stores: CopiedStores,
    identity: NamespaceIdentity,
    observer: CopyObserver,
    pace?: CopyPace,
  ): Promise<StoreCopy> {
    const known = await stores.target.namespaces.find();
    if (known !== undefined) throw new CliError(describeKnown(identity, known));
    await CopyLog.open(stores.target, identity);
    return new StoreCopy(stores, identity, observer, pace);
  }

  /** Copies new events until the signal is aborted. @throws CliError; Fault. */
  async follow(signal: AbortSignal): Promise<void> {
    await this.#keepOn(signal, () => false);
  }

  /** Copies all that the source has now. @returns how far that is, in the source. @throws as `follow`. */
  async catchUp(signal: AbortSignal): Promise<Position> {
    return this.#keepOn(signal, ({ isCaughtUp }) => isCaughtUp);
  }

  /** A store that goes away is waited for, and both are then looked at again. */
  async #keepOn(signal: AbortSignal, isEnd: (window: CopyWindow) => boolean): Promise<Position> {
    let failures = 0;
    let wentOnAtMs = performance.now();
    const onWritten = () => {
      failures = 0;
      wentOnAtMs = performance.now();
    };
    for (;;) {
      try {
        return await this.#pass(signal, isEnd, onWritten);
      } catch (error) {
        if (!isRetryableFault(error) || performance.now() - wentOnAtMs > OUT_OF_REACH_MS)
          throw error;
        await sleepUnlessAborted(jitteredDelayMs(failures, RETRY_BASE_MS, RETRY_CAP_MS), signal);
        failures += 1;
      }
    }
  }

  async #pass(
    signal: AbortSignal,
    isEnd: (window: CopyWindow) => boolean,
    onWritten: () => void,
  ): Promise<Position> {
    const { source, target } = this.stores;
    const log = await CopyLog.open(target, this.identity);
    const copier = new Copier(this.stores, log);
    const after = log.sourcePosition;
    this.observer.begins(after, await source.headPosition());
    let [upTo, isFollowing] = [after, false];
    const { namespace } = this.identity;
    const { windowEvents } = this.pace;
    for await (const window of readWindows(source, namespace, after, signal, windowEvents)) {
      await copier.write(window);
      ({ upTo } = window);
      this.eventsWritten += window.events.length;
      onWritten();
      this.observer.wrote(window);
      if (isEnd(window)) break;
      isFollowing ||= window.isCaughtUp;
      await this.pace.pauseBehind(window, signal, isFollowing);
    }
    return upTo;
  }
}

/** Why nothing is copied into a target that knows the namespace. */
function describeKnown({ namespace, storeId }: NamespaceIdentity, known: KnownNamespace): string {
  const { identity, movedTo } = known;
  if (movedTo !== undefined) {
    return (
      `The namespace "${namespace}" was moved away from the target to ${movedTo.address}: ` +
      'empty the target before another copy.'
    );
  }
  const which = identity.storeId === storeId ? 'this ledger, which was switched' : 'another ledger';
  return (
    `The namespace "${namespace}" is open in the target (${which}, store ${identity.storeId}): ` +
    'programs may write there, and nothing was copied.'
  );
}
