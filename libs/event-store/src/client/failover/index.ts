export { isNotReady, probeNode, stubOver } from './leader-probe.js';
export { type ChannelWatchOptions, WatchedChannel } from './watched-channel.js';
