import type { Backup, ExhaustedDelivery, ParkedEntry } from '#checkpoint-backup';
import type { Position } from '#domain/event';
import { webhookEndpointAggregate } from '#domain/webhook-endpoint';
import { forEachConcurrently } from '#platform';

/** Lookups at the same time. */
const AT_ONCE = 32;

/** An event's place in the target. */
export interface CopiedPlace {
  readonly position: Position;
  readonly revision: number;
}

export interface PlaceLookups {
  /** The target's position of the source's events up to a position, or a little before it. */
  readonly findPosition: (sourcePosition: Position) => Promise<Position>;
  /** The place of a source's event in the target; undefined for one that is gone. */
  readonly findEvent: (streamName: string, revision: number) => Promise<CopiedPlace | undefined>;
}

/**
 * A checkpoint backup, which names positions of the source, as one of the target. Entries behind the target's position
 * are left out: they are worked on again anyway (decision 0013).
 */
export async function translateBackup(backup: Backup, lookups: PlaceLookups): Promise<Backup> {
  const position = await lookups.findPosition(backup.position);
  const inFlight = new Map<string, string | null>();
  const parked = new Map<string, ParkedEntry>();
  const exhausted = new Map<string, ExhaustedDelivery>();
  const isWithin = (place: { readonly position: Position }) => place.position <= position;
  await forEachConcurrently([...backup.inFlight], AT_ONCE, async ([member, at]) => {
    const translated = await translateMember(member, lookups);
    if (translated !== undefined && isWithin(translated)) inFlight.set(translated.member, at);
  });
  await forEachConcurrently([...backup.exhausted.values()], AT_ONCE, async (delivery) => {
    const translated = await translateMember(delivery.member, lookups);
    if (translated === undefined || !isWithin(translated)) return;
    const { member } = translated;
    exhausted.set(member, { ...delivery, member });
  });
  await forEachConcurrently([...backup.parked.values()], AT_ONCE, async (entry) => {
    const place = await lookups.findEvent(entry.streamName, entry.revision);
    if (place === undefined || !isWithin(place)) return;
    const { begunUpTo: before } = entry;
    const begunUpTo = before === '' ? '' : await lookups.findPosition(before);
    parked.set(entry.streamName, { ...entry, ...place, begunUpTo });
  });
  const cursors = new Map<string, Position>();
  await forEachConcurrently([...backup.cursors], AT_ONCE, async ([endpointId, after]) => {
    cursors.set(endpointId, await lookups.findPosition(after));
  });
  // A worker begins again in the store's order, which is the members'; look-ups are answered in any.
  return { position, inFlight: sorted(inFlight), parked, exhausted: sorted(exhausted), cursors };
}

function sorted<Value>(byMember: ReadonlyMap<string, Value>): Map<string, Value> {
  return new Map([...byMember].sort(([left], [right]) => (left < right ? -1 : 1)));
}

interface TranslatedMember {
  readonly position: Position;
  readonly member: string;
}

/**
 * A member begins with position, target, stream and revision of its event. That of a message that is sent again has
 * the position of the event of its endpoint that asks for it, and names it at its end.
 */
async function translateMember(
  member: string,
  { findEvent }: PlaceLookups,
): Promise<TranslatedMember | undefined> {
  const [, target = '', streamName = '', revision, ...others] = member.split(' ');
  const place = await findEvent(streamName, Number(revision));
  if (place === undefined) return undefined;
  const about = [target, streamName, place.revision];
  const [index, messageId, askedAt] = others;
  if (askedAt === undefined) {
    return { position: place.position, member: [place.position, ...about, ...others].join(' ') };
  }
  const asked = await findEvent(`${webhookEndpointAggregate.category}-${target}`, Number(askedAt));
  if (asked === undefined) return undefined;
  const { position } = asked;
  return { position, member: [position, ...about, index, messageId, asked.revision].join(' ') };
}
