import { groupBy } from '#platform';
import type { Findings } from '../full-disk/findings.js';
import type { Breakage, BreakageKind } from './breakages.js';
import type { OwedMessage } from './owed-messages.js';
import type { Arrival, MoodyEndpoint } from './receiver.js';
import type { Resend } from './traffic.js';

/** The compared books: messages that the store owes, and those that came. */
export interface Books {
  readonly owed: readonly OwedMessage[];
  readonly endpoints: readonly MoodyEndpoint[];
  readonly arrivals: readonly Arrival[];
  /** The requested resends: each is one more success. */
  readonly resends: readonly Resend[];
  readonly breakages: readonly Breakage[];
}

export interface Repeats {
  /** Successes beside the first, by the breakage. */
  readonly byKind: Readonly<Partial<Record<BreakageKind, number>>>;
  /** Those that came when a later message of the subject had been accepted. */
  readonly behindNewer: number;
  /** The longest time from a first success to the breakage for which it came again. */
  readonly longestBeforeMs: number;
}

const nameDelivery = (endpointId: string, messageId: string) => `${endpointId} ${messageId}`;

/** The deliveries that are owed, by their names. */
export function listOwedDeliveries({ owed, endpoints }: Pick<Books, 'owed' | 'endpoints'>) {
  const deliveries = new Map<string, OwedMessage>();
  for (const { endpointId, appId, wants } of endpoints) {
    for (const message of owed) {
      if (message.appId !== appId || !wants(message.type)) continue;
      deliveries.set(nameDelivery(endpointId, message.id), message);
    }
  }
  return deliveries;
}

/** Those of them that had fewer successes than they are owed: one, and one for each time that they were asked for. */
export function listUndelivered(books: Omit<Books, 'breakages'>): string[] {
  const owed = listOwedDeliveries(books);
  const left = new Map([...owed.keys()].map((delivery) => [delivery, 1]));
  const count = (delivery: string, by: number) => {
    const before = left.get(delivery);
    if (before !== undefined) left.set(delivery, before + by);
  };
  for (const each of books.resends) count(nameDelivery(each.endpointId, each.messageId), 1);
  for (const { endpointId, messageId, isAccepted } of books.arrivals) {
    if (isAccepted) count(nameDelivery(endpointId, messageId), -1);
  }
  return [...owed]
    .filter(([delivery]) => (left.get(delivery) ?? 0) > 0)
    .map(([delivery, { type, sequence }]) => `${delivery} ${type} ${sequence}`);
}

/** Compares everything that came with everything that is owed (rules/webhooks 4, 5, 8). */
export function reconcile(books: Books, findings: Findings): Repeats {
  for (const undelivered of listUndelivered(books)) {
    const attempts = describeAttempts(undelivered, books);
    findings.add('a message was not delivered', `${undelivered}: ${attempts}`);
  }
  const deliveries = listOwedDeliveries(books);
  for (const arrival of books.arrivals) inspectArrival(arrival, deliveries, findings);
  inspectOrder(books, deliveries, findings);
  return countRepeats(books, deliveries, findings);
}

/** When it came, against the last thing that was broken. */
function describeAttempts(undelivered: string, { arrivals, breakages }: Books): string {
  const last = breakages.at(-1);
  const came = arrivals
    .filter((each) => undelivered.startsWith(nameDelivery(each.endpointId, each.messageId)))
    .map(({ atMs }) => `${Math.round(atMs - (last?.atMs ?? 0))} ms`);
  return `it came [${came.join(', ')}] after ${last?.kind ?? 'the start'}`;
}

/** Wanted, signed, numbered as the store has it, and the very bytes. */
function inspectArrival(
  { endpointId, messageId, sequence, body, isSigned }: Arrival,
  deliveries: ReadonlyMap<string, OwedMessage>,
  findings: Findings,
): void {
  const delivery = nameDelivery(endpointId, messageId);
  const message = deliveries.get(delivery);
  if (message === undefined) {
    findings.add('a message came that is not owed there', delivery);
    return;
  }
  if (!isSigned) findings.add('a signature is not valid', delivery);
  if (sequence !== String(message.sequence)) {
    findings.add('a number is wrong', `${delivery}: ${sequence}, not ${message.sequence}`);
  }
  if (body !== undefined && body !== message.body) findings.add('a body is another', delivery);
}

/**
 * A message of a subject comes to an endpoint for the first time only when each earlier one that is wanted there
 * had its success: no delivery here fails for an hour, so that none is deferred.
 */
function inspectOrder(
  { arrivals }: Books,
  deliveries: ReadonlyMap<string, OwedMessage>,
  findings: Findings,
): void {
  const seen = new Set<string>();
  const accepted = new Set<string>();
  const owed = [...deliveries].map(([delivery, message]) => ({ delivery, ...message }));
  const ofSubject = ({ delivery, subject }: { delivery: string; subject: string }) =>
    `${delivery.split(' ')[0]} ${subject}`;
  const subjects = new Map(groupBy(owed, ofSubject).map((all) => [ofSubject(all[0]!), all]));
  const byArrival = [...arrivals].sort((a, b) => a.atMs - b.atMs);
  for (const { endpointId, messageId, isAccepted } of byArrival) {
    const delivery = nameDelivery(endpointId, messageId);
    const message = deliveries.get(delivery);
    if (message === undefined) continue;
    if (!seen.has(delivery)) {
      seen.add(delivery);
      const wanted = subjects.get(ofSubject({ delivery, subject: message.subject })) ?? [];
      const late = wanted.filter(
        (each) => each.sequence < message.sequence && !accepted.has(each.delivery),
      );
      if (late.length > 0) {
        const seenNow = `${delivery}: ${message.sequence} of ${message.subject} before ${late.map(({ sequence }) => sequence).join(', ')}`;
        findings.add('a message came before an earlier one had its success', seenNow);
      }
    }
    if (isAccepted) accepted.add(delivery);
  }
}

/** A success beside the first was asked for, or else a breakage has lost it. */
function countRepeats(
  { arrivals, resends, breakages }: Books,
  deliveries: ReadonlyMap<string, OwedMessage>,
  findings: Findings,
): Repeats {
  const firstAtMs = new Map<string, number>();
  const asked = [...resends];
  const takeAsked = (arrival: Arrival) => {
    const at = asked.findIndex(
      (each) =>
        each.endpointId === arrival.endpointId &&
        each.messageId === arrival.messageId &&
        each.atMs <= arrival.atMs,
    );
    return at !== -1 && asked.splice(at, 1).length > 0;
  };
  const newest = new Map<string, number>();
  const byKind: Partial<Record<BreakageKind, number>> = {};
  let behindNewer = 0;
  let longestBeforeMs = 0;
  for (const arrival of arrivals) {
    const { endpointId, messageId, atMs, isAccepted } = arrival;
    const delivery = nameDelivery(endpointId, messageId);
    const message = deliveries.get(delivery);
    if (!isAccepted || message === undefined) continue;
    const subject = `${endpointId} ${message.subject}`;
    const before = firstAtMs.get(delivery);
    if (before === undefined) {
      firstAtMs.set(delivery, atMs);
      newest.set(subject, Math.max(newest.get(subject) ?? 0, message.sequence));
      continue;
    }
    if (takeAsked(arrival)) {
      firstAtMs.set(delivery, atMs);
      continue;
    }
    if ((newest.get(subject) ?? 0) > message.sequence) behindNewer += 1;
    const cause = breakages.findLast((each) => each.atMs <= atMs && each.repeatsFromMs <= before);
    if (cause === undefined) {
      const last = breakages.findLast((each) => each.atMs <= atMs);
      const ago = last === undefined ? '' : `, ${Math.round(last.atMs - before)} ms before`;
      const after = `after ${Math.round(atMs - before)} ms${ago} ${last?.kind ?? 'nothing was broken'}`;
      findings.add('a success was sent again for which nothing was lost', `${delivery} ${after}`);
      continue;
    }
    byKind[cause.kind] = (byKind[cause.kind] ?? 0) + 1;
    longestBeforeMs = Math.max(longestBeforeMs, Math.round(cause.atMs - before));
  }
  return { byKind, behindNewer, longestBeforeMs };
}
