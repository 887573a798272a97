import { listReadModels, nameProjection, nameReadModel } from '#projection-engine';
import type { Projection } from '#projection-engine/define';
import type { ReadModelLedger } from './ledger.js';

/** A read model by its names. */
export interface NamedReadModel {
  /** Name, version and fingerprint, such as `subscriptions.14.3f09ab`. */
  readonly readModel: string;
  readonly projection: string;
  readonly version: number;
  /** The projection of this release; undefined of a read model of another release. */
  readonly ofThisRelease: Projection<unknown> | undefined;
}

/** The read model of a name, or the sentence that there is none, with the names that there are. */
export type FoundReadModel =
  | { readonly kind: 'found'; readonly named: NamedReadModel }
  | { readonly kind: 'unknown'; readonly names: readonly string[]; readonly sentence: string };

type Place = Pick<ReadModelLedger, 'redis' | 'identity' | 'projections'>;

/**
 * All read models of this release, in the order of its projections, then those of other releases that Redis knows.
 *
 * @throws Fault of Redis.
 */
export async function listNamedReadModels(place: Place): Promise<NamedReadModel[]> {
  const own = place.projections.map((projection) => nameOwn(projection));
  const known = new Set(own.map(({ readModel }) => readModel));
  const listed = await listReadModels(place.redis, place.identity);
  const others = listed.filter(({ name }) => !known.has(name)).map(({ name }) => nameOther(name));
  return [...own, ...others];
}

/**
 * Finds a read model by the name of its projection, such as `subscriptions`, which means that of this release, or by its
 * whole name.
 *
 * @throws Fault of Redis.
 */
export async function findReadModelNamed(place: Place, name: string): Promise<FoundReadModel> {
  const all = await listNamedReadModels(place);
  const named =
    all.find(({ projection, ofThisRelease }) => projection === name && ofThisRelease) ??
    all.find(({ readModel }) => readModel === name);
  if (named !== undefined) return { kind: 'found', named };
  const names = all.map(({ projection, readModel, ofThisRelease }) =>
    ofThisRelease === undefined ? readModel : projection,
  );
  const sentence = `There is no read model ${JSON.stringify(name)}. There are: ${names.join(', ')}.`;
  return { kind: 'unknown', names, sentence };
}

function nameOwn(projection: Projection<unknown>): NamedReadModel {
  const { name, version } = projection;
  const readModel = nameReadModel(projection);
  return { readModel, projection: name, version, ofThisRelease: projection };
}

function nameOther(readModel: string): NamedReadModel {
  const [, version = ''] = readModel.split('.');
  const projection = nameProjection(readModel);
  return { readModel, projection, version: Number(version), ofThisRelease: undefined };
}
