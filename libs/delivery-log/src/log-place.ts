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

/** The id of the entry in its partition's stream. */
export function formatId({ ms, count }: LogPlace): string {
  return `${ms}-${count}`;
}

export function formatPlace(place: LogPlace): string {
  return `${formatId(place)}-${place.partition}`;
}

/** Undefined for what `formatPlace` did not give. */
export function parsePlace(text: string): LogPlace | undefined {
  const parts = /^(\d{1,15})-(\d{1,15})-(\d{1,5})$/.exec(text)?.slice(1).map(Number);
  if (parts === undefined) return undefined;
  const [ms = 0, count = 0, partition = 0] = parts;
  return { ms, count, partition };
}
