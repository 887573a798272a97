/**
 * Keeps this process from sleeping until the caller ends it. On loopback the sender wakes the receiver,
 * and waking a processor of a virtual machine costs a server up to half of what an answer costs it, the
 * slower the server the more often. A client on another machine would not be its business.
 *
 * @returns what ends it.
 */
export function stayAwake(): () => void {
  let isAwake = true;
  const turn = () => {
    if (isAwake) setImmediate(turn);
  };
  turn();
  return () => {
    isAwake = false;
  };
}
