import type { Position } from '#domain/event';
import { webhookEndpointAggregate } from '#domain/webhook-endpoint';
import { forEachConcurrently } from '#platform';
import { type Backup, byMember, type ParkedEntry } from '#worker-state';

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
  const isWithin = (place: { readonly position: Position }) => place.position <= position;
  const translateAll = async <T extends { readonly member: string }>(items: readonly T[]) => {
    const translated: T[] = [];
    await forEachConcurrently(items, AT_ONCE, async (item) => {
      const found = await translateMember(item.member, lookups);
      if (found !== undefined && isWithin(found))
        translated.push({ ...item, member: found.member });
    });
    // A worker begins again in the store's order, which is the members'; look-ups are answered in any.
    return translated.sort(byMember);
  };
  const parked: ParkedEntry[] = [];
  await forEachConcurrently(backup.parked, AT_ONCE, async (entry) => {
    const place = await lookups.findEvent(entry.streamName, entry.revision);
    if (place === undefined || !isWithin(place)) return;
    const { begunUpTo: before } = entry;
    const begunUpTo = before === '' ? '' : await lookups.findPosition(before);
    parked.push({ ...entry, ...place, begunUpTo });
  });
  const cursors: Backup['cursors'][number][] = [];
  await forEachConcurrently(backup.cursors, AT_ONCE, async ({ endpointId, after }) => {
    cursors.push({ endpointId, after: await lookups.findPosition(after) });
  });
  const inFlight = await translateAll(backup.inFlight);
  const exhausted = await translateAll(backup.exhausted);
  return { position, inFlight, parked, exhausted, cursors };
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
