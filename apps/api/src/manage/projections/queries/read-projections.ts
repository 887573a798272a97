import { Inject, Injectable } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { queryWith } from '#nest';
import {
  type DescribedGeneration,
  type DescribedReadModel,
  describeReadModels,
  lookAtBuild,
} from '#read-model-operations';
import type { OperatorIdentity } from '#tenancy';
import { requireAllApps } from '../../../auth/operator-scope.js';
import type { ApiConfig } from '../../../config.js';
import { CONFIG } from '../../../tokens.js';
import { LedgerOfReadModels, readModelNotFound } from '../ledger-of-read-models.js';
import type { GenerationDto, ReadModelListDto, ShownReadModelDto } from '../projection.dto.js';

/** Read models as operators see them. */
@Injectable()
export class ShownReadModels {
  constructor(
    private readonly ledger: LedgerOfReadModels,
    @Inject(CONFIG) private readonly config: Pick<ApiConfig, 'formerKeptMs'>,
  ) {}

  /** @throws Fault of the store or of Redis. */
  async list(): Promise<ReadModelListDto> {
    const { formerKeptMs } = this.config;
    const { headAgeSeconds, readModels } = await describeReadModels(this.ledger, { formerKeptMs });
    return { headAgeSeconds: whole(headAgeSeconds), readModels: readModels.map(renderReadModel) };
  }

  /** @param only the whole name of a read model. @throws as `list`. */
  async show(only: string): Promise<ShownReadModelDto> {
    const { formerKeptMs } = this.config;
    const { readModels } = await describeReadModels(this.ledger, { only, formerKeptMs });
    const [described] = readModels;
    if (described === undefined)
      throw readModelNotFound(`There is no read model ${only} any more.`);
    const { partitions } = await lookAtBuild(this.ledger, only);
    const build = partitions.map(({ generation: _generation, share, ...partition }) => ({
      ...partition,
      percent: Math.floor(share * 100),
    }));
    return { ...renderReadModel(described), build };
  }
}

/** All read models with their generations (rules/read-models 1). */
export class ListReadModels extends queryWith<{ operator: OperatorIdentity }, ReadModelListDto>() {}

@QueryHandler(ListReadModels)
export class ListReadModelsHandler implements IQueryHandler<ListReadModels> {
  constructor(private readonly shown: ShownReadModels) {}

  async execute({ operator }: ListReadModels): Promise<ReadModelListDto> {
    requireAllApps(operator);
    return this.shown.list();
  }
}

/** One read model, with its build (rules/read-models 1). */
export class ShowReadModel extends queryWith<
  { operator: OperatorIdentity; name: string },
  ShownReadModelDto
>() {}

@QueryHandler(ShowReadModel)
export class ShowReadModelHandler implements IQueryHandler<ShowReadModel> {
  constructor(
    private readonly ledger: LedgerOfReadModels,
    private readonly shown: ShownReadModels,
  ) {}

  async execute({ operator, name }: ShowReadModel): Promise<ShownReadModelDto> {
    requireAllApps(operator);
    const { readModel } = await this.ledger.requireNamed(name);
    return this.shown.show(readModel);
  }
}

function renderReadModel(described: DescribedReadModel) {
  const { readModel: name, projection, version, isOfThisRelease, isFed } = described;
  return {
    ...{ name, projection, version, ofThisRelease: isOfThisRelease, fed: isFed },
    keptUntil: described.keptUntil ?? '',
    actsReadable: described.areActsReadable,
    generations: described.generations.map(renderGeneration),
  };
}

function renderGeneration(described: DescribedGeneration): GenerationDto {
  const { generation, state, note, places, documents, entries, bytes } = described;
  const { parkedStreams, oldestUnappliedSeconds, formerUntil, findings, check } = described;
  return {
    ...{ generation, state, note: note ?? '' },
    ...{ answeringIn: places.checkpoint, buildingIn: places.building, formerIn: places.former },
    ...{ documents, entries, bytes, parkedStreams },
    oldestUnappliedSeconds: whole(oldestUnappliedSeconds),
    ...{ formerUntil: formerUntil ?? '', findings: [...findings], check: check ?? '' },
    ...{ hold: described.hold, paused: described.isPaused, maxPerSecond: described.maxPerSecond },
  };
}

/** Whole seconds. */
function whole(seconds: number | null): number | null {
  return seconds === null ? null : Math.floor(seconds);
}
