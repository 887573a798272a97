import { loadScript, type Redis } from '#redis';
import type { Projection } from '../define/index.js';
import { type Fence, runFenced } from '../leases/leases.js';
import { type Checkpoint, encodeCheckpoint, NOTHING } from '../stored/checkpoint.js';
import { newMark } from '../stored/fenced-checkpoint.js';
import { type PartitionKeys, type GenerationPlace, PLACES } from '../stored/keys.js';
import type { Step } from './next-places.js';
import { PartitionDocuments } from './partition-documents.js';

const placeGenerations = loadScript(new URL('../lua/place-generations-5.lua', import.meta.url));

interface ReadModelPartitionOptions {
  /** The name of the read model. */
  readonly name: string;
  readonly projection: Projection<unknown>;
  readonly keys: PartitionKeys;
  readonly fence: Fence;
  /** The most documents that each generation keeps in memory. */
  readonly cachedDocuments: number;
}

/** The generations of a read model in one partition that this process holds, by their places. */
export class ReadModelPartition {
  readonly name: string;
  readonly projection: Projection<unknown>;
  readonly keys: PartitionKeys;
  readonly fence: Fence;
  readonly #places: { readonly [place in GenerationPlace]: PartitionDocuments };
  #present: readonly GenerationPlace[] = [];

  constructor(
    private readonly redis: Redis,
    options: ReadModelPartitionOptions,
  ) {
    this.name = options.name;
    this.projection = options.projection;
    this.keys = options.keys;
    this.fence = options.fence;
    const open = (place: GenerationPlace) =>
      new PartitionDocuments(redis, { ...options, placeKey: options.keys[place] });
    this.#places = {
      checkpoint: open('checkpoint'),
      building: open('building'),
      former: open('former'),
    };
  }

  get number(): number {
    return this.keys.number;
  }

  /** The generation in a place; undefined where there is none. */
  at(place: GenerationPlace): PartitionDocuments | undefined {
    return this.#present.includes(place) ? this.#places[place] : undefined;
  }

  /** All of its generations. */
  get generations(): readonly PartitionDocuments[] {
    return this.#present.map((place) => this.#places[place]);
  }

  /** Looks at Redis anew, and forgets its state. @throws Fault. */
  async load(): Promise<void> {
    const found = await Promise.all(
      PLACES.map(async (place) => [place, await this.#places[place].load()] as const),
    );
    this.#present = found.filter(([, isThere]) => isThere).map(([place]) => place);
  }

  /** Moves generations between places, in one atomic act. @throws Fenced; Fault of Redis. */
  async take(step: Step, layoutId: string): Promise<void> {
    const texts = this.#texts();
    const next = placesAfter(step, texts, (generation) => begin(layoutId, generation));
    const isFirst = this.number === 0;
    await this.#place(
      step.kind === 'answer' && step.isUnchecked && isFirst ? withCheckDue(next) : next,
    );
  }

  /** Begins a generation anew, under the number of the one in this place. @throws Fenced; Fault. */
  async beginAgain(place: GenerationPlace, layoutId: string): Promise<void> {
    const { generation = 1 } = this.at(place)?.checkpoint ?? {};
    await this.#place({ ...this.#texts(), building: begin(layoutId, generation) });
  }

  /** Notes the outcome of the check of the generation that answers. @throws Fenced; Fault. */
  async noteCheck(outcome: 'passed' | 'differs'): Promise<void> {
    const answering = this.at('checkpoint')?.checkpoint;
    // Another generation may answer by now.
    if (answering?.check !== 'due') return;
    const { check: _, ...checkpoint } = answering;
    const noted = outcome === 'passed' ? checkpoint : { ...checkpoint, check: outcome };
    await this.#place({ ...this.#texts(), checkpoint: encodeCheckpoint(noted) });
  }

  #texts(): Texts {
    const { checkpoint, building, former } = this.#places;
    return {
      checkpoint: checkpoint.left.stored,
      building: building.left.stored,
      former: former.left.stored,
    };
  }

  async #place(next: Texts): Promise<void> {
    const now = this.#texts();
    const keys = [...PLACES.map((place) => this.keys[place]), this.keys.leftovers];
    const args = [...PLACES.map((place) => now[place]), ...PLACES.map((place) => next[place])];
    await runFenced(this.redis, this.fence, placeGenerations, { keys, args });
    await this.load();
  }
}

type Texts = { readonly [place in GenerationPlace]: string };

function begin(layoutId: string, generation: number): string {
  return encodeCheckpoint({
    position: NOTHING,
    layoutId,
    epoch: newMark(),
    generation,
    applied: 0,
  });
}

function placesAfter(step: Step, now: Texts, beginNew: (generation: number) => string): Texts {
  switch (step.kind) {
    case 'begin':
      return { ...now, building: beginNew(step.generation) };
    case 'answer':
      return { ...now, checkpoint: now[step.from], [step.from]: '' };
    case 'swap': {
      const kept = step.keepsFormer ? now.checkpoint : '';
      const former = step.from === 'former' || step.keepsFormer ? kept : now.former;
      const building = step.from === 'building' ? '' : now.building;
      return { checkpoint: now[step.from], building, former };
    }
    case 'keep_as_former':
      return { ...now, building: '', former: now.building };
    case 'drop':
      return { ...now, [step.from]: '' };
  }
}

/** The first partition says for all of them that the generation is to be verified afterwards. */
function withCheckDue({ checkpoint, ...others }: Texts): Texts {
  // Only this library writes there, in this form.
  const due: Checkpoint = { ...(JSON.parse(checkpoint) as Checkpoint), check: 'due' };
  return { ...others, checkpoint: encodeCheckpoint(due) };
}
