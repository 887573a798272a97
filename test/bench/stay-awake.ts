/**
 * Keeps this process from sleeping until the caller ends it. On loopback the sender wakes the receiver, and waking a
 * processor of a virtual machine costs a server up to half of the cost of an answer, the slower the server the more
 * often. A client on another machine would not be its business.
 *
 * @returns the function that ends it.
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
