/** Where an attempt stands in the log of an endpoint, over all partitions. */
export interface LogPlace {
  readonly ms: number;
  /** Of the attempts that a partition took in one millisecond. */
  readonly count: number;
  readonly partition: number;
}

/** Less than 0 where the left one was recorded earlier. */
export function comparePlaces(left: LogPlace, right: LogPlace): number {
  return left.ms - right.ms || left.count - right.count || left.partition - right.partition;
}

function formatPlace({ ms, count, partition }: LogPlace): string {
  return `${ms}-${count}-${partition}`;
}

/** Where a page of deliveries ends. */
export interface ListPlace {
  /** The newest attempt that there was when the first page was read. */
  readonly snapshot: LogPlace;
  /** The newest attempt of the last delivery of the page. */
  readonly last: LogPlace;
}

export function formatListPlace({ snapshot, last }: ListPlace): string {
  return `${formatPlace(snapshot)} ${formatPlace(last)}`;
}

/** Undefined for what `formatListPlace` did not give. */
export function parseListPlace(text: string): ListPlace | undefined {
  const [snapshot, last] = text.split(' ').map(parsePlace);
  return snapshot === undefined || last === undefined ? undefined : { snapshot, last };
}

function parsePlace(text: string): LogPlace | undefined {
  const parts = /^(\d{1,15})-(\d{1,15})-(\d{1,5})$/.exec(text)?.slice(1).map(Number);
  if (parts === undefined) return undefined;
  const [ms = 0, count = 0, partition = 0] = parts;
  return { ms, count, partition };
}
