/**
 * The failures of a call, before they become gRPC statuses (`grpc/status.ts`). These are thrown; a
 * wrong expected version and a deleted stream are ordinary outcomes of an append and are returned.
 */
export class InvalidArgument extends Error {
  override readonly name = 'InvalidArgument';
}

/** The server is stopping or has more to do than it can hold: the caller should try again later. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}

/**
 * The data directory can't be used; the message is one sentence for the person who started the
 * server.
 */
export class EventStoreStartRefused extends Error {
  override readonly name: string = 'EventStoreStartRefused';
}

/**
 * The files do not hold the written events. The message is one sentence with the place and the remedy; the process ends
 * (exit code 65), since nothing may be written into a damaged store.
 */
export class StoreDamaged extends EventStoreStartRefused {
  override readonly name = 'StoreDamaged';

  constructor(
    message: string,
    /** Which file and where in it, without the rest of the sentence. */
    readonly what: string,
  ) {
    super(message);
  }
}

/** How a call ends, as gRPC says it. */
export interface CallStatus {
  readonly code: number;
  readonly details: string;
  readonly trailers?: Readonly<Record<string, string>>;
}

/** The thrown value, as an error: anything can be thrown. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** How the program ends; its supervisor relies on the numbers. */
export const EXIT_REFUSED = 1;
export const EXIT_BAD_USAGE = 2;

/** EX_DATAERR: the store is damaged, stderr names the place, and another start does not help. */
export const EXIT_DAMAGED = 65;

/** A commit failed: memory was ahead of the disk. */
export const EXIT_AFTER_FAILED_COMMIT = 70;
