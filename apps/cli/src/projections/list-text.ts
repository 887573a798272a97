import type {
  DescribedGeneration,
  DescribedReadModel,
  ReadModelsReport,
} from '#read-model-operations';
import { table } from '../output.js';
import { sayInstant } from '../streams/state-words.js';
import { sayBytes, sayCount, sayDuration } from './sizes.js';

const HEAD = [
  ...['READ MODEL', 'GENERATION', 'STATE', 'PARTITIONS', 'OLDEST UNAPPLIED', 'PARKED'],
  ...['DOCUMENTS', 'MEMORY (ABOUT)', 'KEPT UNTIL'],
];

/** All read models with their generations, for people. */
export function printReadModels({ headAgeSeconds, readModels }: ReadModelsReport): string {
  const rows = readModels.flatMap((readModel) =>
    readModel.generations.map((each) => printRow(readModel, each)),
  );
  const lines = readModels.flatMap(explain);
  const head =
    headAgeSeconds === null
      ? 'The event store has no event.'
      : `The newest event of the store is ${sayDuration(headAgeSeconds)} old.`;
  return [table(HEAD, rows), '', head, ...lines].join('\n');
}

function printRow(
  { readModel, keptUntil }: DescribedReadModel,
  { generation, state, places, oldestUnappliedSeconds, ...of }: DescribedGeneration,
): string[] {
  const { parkedStreams, documents, bytes, formerUntil } = of;
  const until = formerUntil ?? keptUntil;
  return [
    ...[readModel, String(generation), state],
    String(places.checkpoint + places.building + places.former),
    oldestUnappliedSeconds === null ? '' : sayUnapplied(oldestUnappliedSeconds),
    ...[sayCount(parkedStreams), sayCount(documents), sayBytes(bytes)],
    until === null ? '' : sayInstant(until),
  ];
}

function sayUnapplied(seconds: number): string {
  return seconds === 0 ? 'none' : sayDuration(seconds);
}

/** The sentences below the table explain states. */
function explain(readModel: DescribedReadModel): string[] {
  const { readModel: name, isOfThisRelease, isFed, areActsReadable, generations } = readModel;
  const feeding = isOfThisRelease ? explainOwn(isFed) : explainOther(isFed);
  const acts = areActsReadable
    ? []
    : ['a newer release has acted on it in a way that this one cannot read'];
  const ofGenerations = generations.flatMap((each) =>
    explainGeneration(each).map((sentence) => `generation ${each.generation} ${sentence}`),
  );
  return [...feeding, ...acts, ...ofGenerations].map((sentence) => `${name}: ${sentence}.`);
}

function explainOwn(isFed: boolean): string[] {
  return isFed ? [] : ['no projector runs'];
}

function explainOther(isFed: boolean): string[] {
  return isFed
    ? ['of another release, a projector of which feeds it']
    : [
        'of another release, and not fed: it catches up when a projector of that release is started',
      ];
}

function explainGeneration(generation: DescribedGeneration): string[] {
  const { state, note, findings, checked, check, hold, isPaused, maxPerSecond } = generation;
  const building = state === 'building';
  return [
    ...(note === null ? [] : [`is ${state}: ${note}`]),
    ...findings.map((finding) => `is held by the gate: ${finding}`),
    ...(state === 'verified' ? [`waits for its swap: ${sayAgreeing(checked ?? 0)}`] : []),
    ...(check === 'due' ? ['answered since nothing else did, and is verified now'] : []),
    ...(check === 'differs' ? ['differs from the events: "verify" names the differences'] : []),
    ...(isPaused ? ['is paused'] : []),
    ...(building && hold ? ['is to wait for its swap behind the gate'] : []),
    ...(building && maxPerSecond !== null
      ? [`takes in at most ${sayCount(maxPerSecond)} events a second`]
      : []),
  ];
}

function sayAgreeing(documents: number): string {
  return documents === 1 ? '1 document agrees' : `${sayCount(documents)} documents agree`;
}
