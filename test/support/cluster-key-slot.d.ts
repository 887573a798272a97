/** It comes without types: the slot of a key in a Redis Cluster, 0 to 16383. */
declare module 'cluster-key-slot' {
  function calculateSlot(key: string): number;
  export = calculateSlot;
}
