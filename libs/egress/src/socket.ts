import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { connect, type LookupFunction, type Socket } from 'node:net';

/** Where a name leads, found and checked. */
export interface ResolvedTarget {
  readonly hostname: string;
  readonly addresses: readonly LookupAddress[];
  readonly port: number;
}

/** Connects to the first of a place's addresses that answers. @throws the error, or the signal's reason. */
export async function openSocket(
  { hostname, addresses, port }: ResolvedTarget,
  signal: AbortSignal,
) {
  const socket = connect({ host: hostname, port, noDelay: true, lookup: answerWith(addresses) });
  try {
    await once(socket, 'connect', { signal });
  } catch (error) {
    destroy(socket);
    throw signal.aborted ? signal.reason : error;
  }
  return { socket, remoteAddress: socket.remoteAddress ?? '' };
}

/** Later errors of it are of no interest: why it is destroyed is known already. */
export function destroy(socket: Socket): void {
  socket.on('error', () => undefined);
  socket.destroy();
}

/** Node.js asks for one address or for all, as it intends to try one or several. */
function answerWith(addresses: readonly LookupAddress[]): LookupFunction {
  return (hostname, { all }, callback) => {
    const [first] = addresses;
    if (first === undefined) callback(new Error(`${hostname} has no address`), '', 0);
    else if (all === true) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}
