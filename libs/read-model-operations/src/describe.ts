import { addMilliseconds } from '#domain/calendar';
import type { Instant, Position } from '#domain/event';
import type { Generations } from '#domain/projection';
import { wallClock } from '#platform';
import {
  Ages,
  findLowest,
  listReadModels,
  openReadModel,
  PLACES,
  readGenerations,
  type StoredGenerations,
} from '#projection-engine';
import { redisReply } from '#redis';
import { readActs, type ReadModelLedger } from './ledger.js';
import { listNamedReadModels, type NamedReadModel } from './names.js';
import { type JudgedGeneration, judgeGenerations, type PlaceCounts } from './states.js';
import { addSizes, measureSize, type StoredSize } from './stored-size.js';

export interface DescribedGeneration extends JudgedGeneration, StoredSize {
  /** All events up to here are in each of its partitions; null where Redis has nothing of it. */
  readonly position: Position | null;
  /** For how long the oldest event that it has not applied has been in the store; 0 where it has all of them. */
  readonly oldestUnappliedSeconds: number | null;
  /** Until then the former generation is kept; null of others. */
  readonly formerUntil: Instant | null;
  /** The gate's, where it holds the generation. */
  readonly findings: readonly string[];
  /** How many documents the gate compared, where it found nothing. */
  readonly checked: number | null;
  /** Of a generation that answers without the gate's word: whether it is still to be verified, or was found to differ. */
  readonly check: 'due' | 'differs' | null;
  readonly hold: boolean;
  readonly isPaused: boolean;
  readonly maxPerSecond: number | null;
}

export interface DescribedReadModel extends Omit<NamedReadModel, 'ofThisRelease'> {
  readonly isOfThisRelease: boolean;
  /** Whether a projector that knows it runs: else it is kept as it was. */
  readonly isFed: boolean;
  /** Of a read model of another release that is not fed: until then it is kept. */
  readonly keptUntil: Instant | null;
  /** Whether this release can read all acts on it; it tells the states by Redis alone where not. */
  readonly areActsReadable: boolean;
  readonly generations: readonly DescribedGeneration[];
}

export interface ReadModelsReport {
  /** The end of the store. */
  readonly head: Position;
  /** For how long nothing was written to the store; null of an empty one. */
  readonly headAgeSeconds: number | null;
  readonly readModels: readonly DescribedReadModel[];
}

interface DescribeOptions {
  /** How long read models of other releases are kept after their last projector. */
  readonly formerKeptMs: number;
  /** The one read model to describe; all of them, unless given. */
  readonly only?: string | undefined;
}

/**
 * Describes all read models that this release or Redis knows, with all generations that Redis has or the acts name. Its
 * work grows with partitions and generations, and not with documents.
 *
 * @throws Fault of the store or of Redis.
 */
export async function describeReadModels(
  ledger: ReadModelLedger,
  { formerKeptMs, only }: DescribeOptions,
): Promise<ReadModelsReport> {
  const ages = await Ages.open(ledger.store);
  const all = await listNamedReadModels(ledger);
  const wanted = all.filter(({ readModel }) => only === undefined || readModel === only);
  const used = await listReadModels(ledger.redis, ledger.identity);
  const readModels: DescribedReadModel[] = [];
  for (const named of wanted) {
    const usedAtMs = used.find(({ name }) => name === named.readModel)?.usedAtMs;
    readModels.push(await describe(ledger, named, { ages, usedAtMs, formerKeptMs }));
  }
  return { head: ages.head, headAgeSeconds: ages.headAgeSeconds, readModels };
}

interface Known {
  readonly ages: Ages;
  readonly usedAtMs: number | undefined;
  readonly formerKeptMs: number;
}

async function describe(
  ledger: ReadModelLedger,
  { ofThisRelease, ...named }: NamedReadModel,
  { ages, usedAtMs, formerKeptMs }: Known,
): Promise<DescribedReadModel> {
  const { redis, identity } = ledger;
  const readModel = openReadModel(named.readModel, identity);
  const stored = await readGenerations(redis, readModel);
  const acts = (await readActs(ledger, named.projection))?.(named.readModel);
  const placed = countPlaces(stored);
  const now = wallClock.now();
  const judged = judgeGenerations({ acts, placed, partitions: stored.length, now });
  const members = await redisReply(redis.zcount(readModel.leases.members, Date.now(), '+inf'));
  const isOfThisRelease = ofThisRelease !== undefined;
  const isKept = !isOfThisRelease && members === 0 && usedAtMs !== undefined;
  const generations: DescribedGeneration[] = [];
  for (const each of judged) generations.push(await describeOne(ledger, each, stored, acts, ages));
  return {
    ...{ ...named, isOfThisRelease, isFed: members > 0 },
    keptUntil: isKept ? addMilliseconds(new Date(usedAtMs).toISOString(), formerKeptMs) : null,
    areActsReadable: acts !== undefined,
    generations,
  };
}

/** In how many partitions each generation has each place. */
function countPlaces(stored: readonly StoredGenerations[]): ReadonlyMap<number, PlaceCounts> {
  const counted = new Map<number, PlaceCounts>();
  for (const { places } of stored) {
    for (const place of PLACES) {
      const checkpoint = places[place];
      if (checkpoint === undefined) continue;
      const { generation = 1 } = checkpoint;
      const before = counted.get(generation) ?? { checkpoint: 0, building: 0, former: 0 };
      counted.set(generation, { ...before, [place]: before[place] + 1 });
    }
  }
  return counted;
}

async function describeOne(
  { redis }: ReadModelLedger,
  judged: JudgedGeneration,
  stored: readonly StoredGenerations[],
  acts: Generations | undefined,
  ages: Ages,
): Promise<DescribedGeneration> {
  const { generation } = judged;
  const found = findPlaces(stored, generation);
  const sizes = await Promise.all(
    found.map(({ keys, checkpoint }) => measureSize(redis, keys, checkpoint)),
  );
  const positions = found.map(({ checkpoint: { position } }) => position);
  const position = positions.length === 0 ? null : findLowest(positions);
  const answering = found.filter(({ place }) => place === 'checkpoint');
  const check = answering.map(({ checkpoint }) => checkpoint.check).find(Boolean) ?? null;
  return {
    ...{ ...judged, ...addSizes(sizes), position, check },
    oldestUnappliedSeconds: position === null ? null : await ages.ofOldestUnapplied(position),
    ...describeActs(acts, generation),
  };
}

/** The partitions that have a generation, with its place there. */
function findPlaces(stored: readonly StoredGenerations[], generation: number) {
  return stored.flatMap(({ keys, places }) =>
    PLACES.flatMap((place) => {
      const checkpoint = places[place];
      const isOne = checkpoint !== undefined && (checkpoint.generation ?? 1) === generation;
      return isOne ? [{ keys, place, checkpoint }] : [];
    }),
  );
}

/** The part of a description that the acts alone tell. */
function describeActs(acts: Generations | undefined, generation: number) {
  const { former, building } = acts ?? {};
  const formerUntil = former?.generation === generation ? former.until : null;
  const own = building?.generation === generation ? building : NOT_BUILT;
  const { gate, hold, isPaused, maxPerSecond } = own;
  return {
    ...{ formerUntil, hold, isPaused, maxPerSecond },
    findings: gate?.kind === 'held' ? gate.findings : [],
    checked: gate?.kind === 'verified' ? gate.checked : null,
  };
}

const NOT_BUILT = { gate: null, hold: false, isPaused: false, maxPerSecond: null };
