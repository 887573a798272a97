import {
  ErrorType,
  type EventStoreDBClient,
  isCommandError,
  type JSONRecordedEvent,
} from '@eventstore/db-client';
import { OperationsClient } from '@eventstore/db-client/generated/operations_grpc_pb.js';
import operations from '@eventstore/db-client/generated/operations_pb.js';
import { status, type ServiceError } from '@grpc/grpc-js';
import type { Position } from '#domain/event';
import { withTimeLimit } from '#platform';
import { exposeInternals } from '../client-internals.js';
import { readClusterMembers } from './inspection.js';
import { toFault } from '../errors.js';
import { CALL_IDLE_MS } from '../../streams/limits.js';
import { toPosition } from '../../streams/position.js';

/** The stream of the beginnings and ends of a store's scavenges. */
const ALL_SCAVENGES = '$scavenges';
/** The events of so many scavenges are looked at; each has two here, and more on a real node. */
const LOOKED_AT = 500;
const NOT_ALLOWED: readonly number[] = [status.PERMISSION_DENIED, status.UNIMPLEMENTED];

/** A scavenge as its store tells of it. */
export interface Scavenge {
  readonly id: string;
  /** How the node that scavenges names itself, which may be otherwise than it announces itself to clients. */
  readonly node: string;
  /** The position at which the store said that it begins: it takes away events cut off before. */
  readonly startedPosition: Position;
  /** Instants; undefined as long as it runs. */
  readonly startedAt: string;
  readonly endedAt: string | undefined;
  /** `Success`, `Failed` or `Stopped`; undefined as long as it runs. */
  readonly result: string | undefined;
  readonly error: string | undefined;
}

/**
 * The act by which a store forgets cut-off events for good: a scavenge of the node that the connection leads to
 * (rules/storage 14).
 */
export class Scavenges {
  constructor(private readonly client: EventStoreDBClient) {}

  /**
   * Starts one, if none runs.
   *
   * @returns the id of the one that runs now; undefined where the store does not let this user. @throws Fault.
   */
  async start(): Promise<string | undefined> {
    const internals = exposeInternals(this.client);
    const channelOverride = await internals.getChannel();
    const [metadata, options] = internals.callArguments({}, {});
    // With a channel of its own the stub needs neither address nor credentials.
    const stub = new OperationsClient('', null as never, { channelOverride });
    const request = new operations.StartScavengeReq();
    const choices = new operations.StartScavengeReq.Options();
    choices.setThreadCount(1);
    request.setOptions(choices);
    const started = new Promise<string | undefined>((resolve, reject) => {
      stub.startScavenge(request, metadata, options, (error, response) => {
        if (error === null) resolve(response.getScavengeId());
        else if (isNotAllowed(error)) resolve(undefined);
        else reject(toFault(error, 'starting a scavenge'));
      });
    });
    return withTimeLimit(started, CALL_IDLE_MS, 'the event store');
  }

  /**
   * The latest ones, newest first; undefined where the store does not let this user read of them. @throws Fault.
   */
  async list(): Promise<readonly Scavenge[] | undefined> {
    const found = new Map<string, Scavenge>();
    try {
      const options = { direction: 'backwards', fromRevision: 'end', maxCount: LOOKED_AT } as const;
      const read = this.client.readStream(ALL_SCAVENGES, { ...options, resolveLinkTos: true });
      for await (const { event } of read) {
        if (event?.isJson === true) note(found, event);
      }
    } catch (error) {
      if (!(error instanceof Error) || !isCommandError(error)) throw toFault(error, 'scavenges');
      if (error.type === ErrorType.ACCESS_DENIED) return undefined;
      if (error.type !== ErrorType.STREAM_NOT_FOUND) throw toFault(error, 'scavenges');
    }
    return [...found.values()].filter(({ startedAt }) => startedAt !== '');
  }

  /** Each of these has to scavenge for itself: host and port. @throws Fault. */
  async nodes(): Promise<readonly string[]> {
    return (await readClusterMembers(this.client)).map(({ address }) => address);
  }
}

function isNotAllowed({ code }: ServiceError): boolean {
  return NOT_ALLOWED.includes(code);
}

interface CompletedData {
  readonly scavengeId?: string;
  readonly nodeEndpoint?: string;
  readonly result?: string;
  /** Null where nothing went wrong. */
  readonly error?: string | null;
}

/** Events come newest first: the end of a scavenge before its beginning. */
function note(found: Map<string, Scavenge>, { type, created, data, position }: JSONRecordedEvent) {
  // A store's events about its scavenges have these fields (rules/protocol 8).
  const { scavengeId: id, nodeEndpoint: node = '', result, error } = data as CompletedData;
  if (id === undefined) return;
  const known = found.get(id);
  const at = created.toISOString();
  if (type === '$scavengeCompleted') {
    const end = { endedAt: at, result, error: error ?? undefined };
    found.set(id, { id, node, startedPosition: '', startedAt: '', ...end });
  } else if (type === '$scavengeStarted') {
    const running = { endedAt: undefined, result: undefined, error: undefined };
    const startedPosition = position === undefined ? '' : toPosition(position);
    found.set(id, { ...running, ...known, id, node, startedPosition, startedAt: at });
  }
}
