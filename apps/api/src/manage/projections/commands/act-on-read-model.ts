import { Inject, Injectable } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CLOCK, CommandContexts, type CommandSource, commandWith, rejected } from '#nest';
import type { Clock } from '#platform';
import {
  type ActResult,
  decideOnReadModel,
  type NamedReadModel,
  type ReadModelAct,
} from '#read-model-operations';
import type { ApiConfig } from '../../../config.js';
import { CONFIG } from '../../../tokens.js';
import { LedgerOfReadModels } from '../ledger-of-read-models.js';
import type { ReadModelListDto, ShownReadModelDto } from '../projection.dto.js';
import { ShownReadModels } from '../queries/read-projections.js';

interface Act {
  readonly act: ReadModelAct;
  readonly reason: string;
  readonly source: CommandSource;
}

/** Decides an act on a read model; projectors follow it within about a second (rules/read-models 3). */
export class ActOnReadModel extends commandWith<Act & { name: string }, ShownReadModelDto>() {}

/** Asks for a generation of each read model of this release that is not being built already. */
export class RebuildAll extends commandWith<
  Omit<Act, 'act'> & Pick<Extract<ReadModelAct, { kind: 'rebuild' }>, 'hold' | 'maxPerSecond'>,
  ReadModelListDto
>() {}

/** The acts of operators, in the name of the caller of a request. */
@Injectable()
export class ActsOnReadModels {
  constructor(
    private readonly ledger: LedgerOfReadModels,
    private readonly contexts: CommandContexts,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<ApiConfig, 'formerKeptMs'>,
  ) {}

  /** @throws ApiError for a key that is none; Fault. */
  async decide(named: NamedReadModel, { act, reason, source }: Act): Promise<ActResult> {
    const caller = this.contexts.ofNoApp(source);
    const { formerKeptMs } = this.config;
    const context = { ...caller, reason, now: this.clock.now(), formerKeptMs };
    return decideOnReadModel(this.ledger, named, act, context);
  }
}

@CommandHandler(ActOnReadModel)
export class ActOnReadModelHandler implements ICommandHandler<ActOnReadModel> {
  constructor(
    private readonly ledger: LedgerOfReadModels,
    private readonly acts: ActsOnReadModels,
    private readonly shown: ShownReadModels,
  ) {}

  /** @throws ApiError for every rejection. */
  async execute({ name, act, reason, source }: ActOnReadModel): Promise<ShownReadModelDto> {
    const named = await this.ledger.requireOwn(name);
    const result = await this.acts.decide(named, { act, reason, source });
    if (!result.accepted) throw rejected(result.rejection, 'projection');
    return this.shown.show(named.readModel);
  }
}

@CommandHandler(RebuildAll)
export class RebuildAllHandler implements ICommandHandler<RebuildAll> {
  constructor(
    private readonly ledger: LedgerOfReadModels,
    private readonly acts: ActsOnReadModels,
    private readonly shown: ShownReadModels,
  ) {}

  /** @throws ApiError for every rejection but that of a build that is under way. */
  async execute({ reason, source, ...asked }: RebuildAll): Promise<ReadModelListDto> {
    const act = { kind: 'rebuild', ...asked } as const;
    for (const { name } of this.ledger.projections) {
      const named = await this.ledger.requireOwn(name);
      const result = await this.acts.decide(named, { act, reason, source });
      if (result.accepted || result.rejection.code === 'projection/rebuild_under_way') continue;
      throw rejected(result.rejection, 'projection');
    }
    return this.shown.list();
  }
}
