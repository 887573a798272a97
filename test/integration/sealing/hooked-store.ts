import type { LedgerStore } from '#event-store';

/** The moments at which a sealer can be held. */
export interface Moments {
  /** It is about to append to this stream. */
  readonly beforeAppend?: (streamName: string) => Promise<void>;
  /** It is about to look for the last event of this stream. */
  readonly beforeLook?: (streamName: string) => Promise<void>;
}

/** A store whose user is held at the named moments: others act meanwhile. */
export function holdAt(store: LedgerStore, moments: Moments): LedgerStore {
  const { verbatim, names } = store;
  const held = {
    readStream: async (...[stored, read]: Parameters<typeof verbatim.readStream>) => {
      const isLook = read.backwards === true && read.maxCount === 1;
      if (isLook) await moments.beforeLook?.(names.fromStored(stored));
      return verbatim.readStream(stored, read);
    },
    follow: verbatim.follow.bind(verbatim),
  };
  const append: LedgerStore['append'] = async (...args) => {
    await moments.beforeAppend?.(args[0]);
    return store.append(...args);
  };
  const own: Readonly<Record<PropertyKey, unknown>> = { append, verbatim: held };
  return new Proxy(store, {
    get: (target, key) => own[key] ?? (Reflect.get(target, key, target) as unknown),
  });
}

/** An act that is done the first time alone, and only for a stream. */
export function once(streamName: string, act: () => Promise<unknown>) {
  let isDone = false;
  return async (name: string) => {
    if (isDone || name !== streamName) return;
    isDone = true;
    await act();
  };
}
