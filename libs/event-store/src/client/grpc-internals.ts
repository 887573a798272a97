/** The private parts of grpc-js that the ledger touches; README.md says why, and which tests notice a change. */
import { type ChannelInterface, connectivityState, type Metadata } from '@grpc/grpc-js';

type ChannelCall = ReturnType<ChannelInterface['createCall']>;
export type CallListener = Parameters<ChannelCall['start']>[1];

/** A connection's own call, as grpc-js makes one below its channel. */
export interface RawCall extends Pick<ChannelCall, 'cancelWithStatus' | 'halfClose' | 'startRead'> {
  sendMessageWithContext(context: object, message: Buffer): void;
}

/** The connection under a channel. */
interface Subchannel {
  getConnectivityState(): connectivityState;
  getRealSubchannel(): {
    createCall(metadata: Metadata, host: string, path: string, listener: CallListener): RawCall;
  };
}

interface ChannelInternals {
  readonly internalChannel: {
    readonly options: Record<string, unknown>;
    readonly defaultAuthority: string;
    doPick(metadata: Metadata, info: object): { readonly subchannel: Subchannel | null };
  };
}

/** The options of a channel, which grpc-js reads when it dials. */
export function channelOptions(channel: ChannelInterface): Record<string, unknown> {
  return exposeChannel(channel).options;
}

/** @returns the opener of a call on the connection of a channel; undefined where the channel has none now. */
export function openOnConnection(
  channel: ChannelInterface,
  path: string,
  metadata: Metadata,
): ((listener: CallListener) => RawCall) | undefined {
  const internalChannel = exposeChannel(channel);
  const { subchannel } = internalChannel.doPick(metadata, {});
  if (subchannel?.getConnectivityState() !== connectivityState.READY) return undefined;
  const { defaultAuthority } = internalChannel;
  return (listener) =>
    subchannel.getRealSubchannel().createCall(metadata, defaultAuthority, path, listener);
}

function exposeChannel(channel: ChannelInterface): ChannelInternals['internalChannel'] {
  // grpc-js's version is pinned exactly, and each read of a test goes through this.
  return (channel as unknown as ChannelInternals).internalChannel;
}
