import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Commit, LogStore, StagedEvent } from '../storage/log-store.js';
import {
  encodeScavenged,
  isScavenged,
  recordRevision,
  recordStreamName,
} from '../storage/record.js';
import type { Cuts } from './cuts.js';

/** One commit of the copy: large enough for its sync, small enough for the calls that wait meanwhile. */
const STEP_EVENTS = 256;

/**
 * Copies the committed events that the target lacks: positions, streams and revisions as they are, and the content of
 * all that are not cut.
 *
 * @param requireGoingOn called before each step; its error ends the copy.
 * @returns how many events lost their content. @throws the errors of the files.
 */
export async function copyUncut(
  source: LogStore,
  target: LogStore,
  cuts: Cuts,
  requireGoingOn: () => void,
): Promise<number> {
  const end = source.lastPosition();
  let cut = 0;
  let lastStream = target.lastStream();
  for (let position = target.lastPosition(); position < end; position = target.lastPosition()) {
    requireGoingOn();
    const newStreams: Commit['newStreams'] = [];
    const events: StagedEvent[] = [];
    for (const { position: at, record } of source.logForward(position + 1, STEP_EVENTS)) {
      const name = recordStreamName(record);
      const stream = cuts.extent(name).number;
      if (stream === 0) throw source.damagedAt(at, `the stream ${name} is not listed`);
      if (stream > lastStream) newStreams.push({ name, stream: (lastStream = stream) });
      const isNewlyCut = !isScavenged(record) && cuts.isCut(name, record);
      if (isNewlyCut) cut += 1;
      const left = isNewlyCut ? encodeScavenged(record, at) : record;
      events.push({ position: at, record: left, stream, revision: recordRevision(record) });
    }
    await target.commit({ newStreams, events });
    await nextTurn();
  }
  return cut;
}
