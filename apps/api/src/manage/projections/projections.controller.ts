import { Body, Controller, Get, Param, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { CommandSource, Operator, PostOk } from '#nest';
import { Refuses } from '#openapi';
import type { ReadModelAct } from '#read-model-operations';
import type { OperatorIdentity } from '#tenancy';
import { Allow, ApiActHeaders } from '../../auth/allow.decorator.js';
import {
  ActOnReadModel,
  ActOnReadModelHandler,
  RebuildAll,
  RebuildAllHandler,
} from './commands/act-on-read-model.js';
import {
  DropBody,
  ReadModelListDto,
  ReasonBody,
  RebuildBody,
  ShownReadModelDto,
  SwapBody,
  VerificationDto,
  VerificationQuery,
} from './projection.dto.js';
import {
  ListReadModels,
  ListReadModelsHandler,
  ShowReadModel,
  ShowReadModelHandler,
} from './queries/read-projections.js';
import { VerifyReadModel, VerifyReadModelHandler } from './queries/verify-read-model.js';

/** The use cases behind the endpoints; the module provides them. */
export const PROJECTION_HANDLERS = [
  ListReadModelsHandler,
  ShowReadModelHandler,
  VerifyReadModelHandler,
  ActOnReadModelHandler,
  RebuildAllHandler,
];

/** Read models of the whole ledger: a viewer's token for all apps looks, an admin's acts (rules/read-models 3). */
@ApiTags('management: read models')
@Allow('operator')
@Controller('manage/projections')
export class ProjectionsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** Lists the read models with their generations. */
  @Get()
  @Refuses('SCOPE_NOT_SUFFICIENT')
  list(@Operator() operator: OperatorIdentity): Promise<ReadModelListDto> {
    return this.queries.execute(new ListReadModels({ operator }));
  }

  /** Builds a generation of each read model of this release that is not being built already. */
  @PostOk('rebuild')
  @ApiActHeaders()
  rebuildAll(
    @Body() { reason, hold, maxPerSecond = null }: RebuildBody,
    @CommandSource() source: CommandSource,
  ): Promise<ReadModelListDto> {
    return this.commands.execute(new RebuildAll({ hold, maxPerSecond, reason, source }));
  }

  /** One read model, by the name of its projection or by its whole name, with its build. */
  @Get(':name')
  @Refuses('READ_MODEL_NOT_FOUND', 'SCOPE_NOT_SUFFICIENT')
  byName(
    @Param('name') name: string,
    @Operator() operator: OperatorIdentity,
  ): Promise<ShownReadModelDto> {
    return this.queries.execute(new ShowReadModel({ operator, name }));
  }

  /** Builds a generation beside the one that answers, which is swapped in when the gate finds nothing against it. */
  @PostOk(':name/rebuild')
  @Refuses('READ_MODEL_NOT_FOUND', 'OTHER_RELEASE', 'REBUILD_UNDER_WAY')
  @ApiActHeaders()
  rebuild(
    @Param('name') name: string,
    @Body() { reason, hold, maxPerSecond = null }: RebuildBody,
    @CommandSource() source: CommandSource,
  ): Promise<ShownReadModelDto> {
    return this.#act(name, { kind: 'rebuild', hold, maxPerSecond }, reason, source);
  }

  /** Compares documents that are drawn by chance with their events. */
  @Get(':name/verification')
  @Refuses('READ_MODEL_NOT_FOUND', 'OTHER_RELEASE', 'SCOPE_NOT_SUFFICIENT')
  verify(
    @Param('name') name: string,
    @Query() { sample }: VerificationQuery,
    @Operator() operator: OperatorIdentity,
  ): Promise<VerificationDto> {
    return this.queries.execute(new VerifyReadModel({ operator, name, sample }));
  }

  /** Lets the built generation answer. */
  @PostOk(':name/swap')
  @Refuses('READ_MODEL_NOT_FOUND', 'OTHER_RELEASE', 'NOTHING_BUILT', 'GENERATION_NOT_VERIFIED')
  @ApiActHeaders()
  swap(
    @Param('name') name: string,
    @Body() { reason, anyway }: SwapBody,
    @CommandSource() source: CommandSource,
  ): Promise<ShownReadModelDto> {
    return this.#act(name, { kind: 'swap', anyway }, reason, source);
  }

  /** Lets the former generation answer again. */
  @PostOk(':name/rollback')
  @Refuses(
    ...['READ_MODEL_NOT_FOUND', 'OTHER_RELEASE', 'NO_FORMER_GENERATION'],
    'FORMER_GENERATION_CANNOT_ANSWER',
  )
  @ApiActHeaders()
  rollBack(
    @Param('name') name: string,
    @Body() { reason }: ReasonBody,
    @CommandSource() source: CommandSource,
  ): Promise<ShownReadModelDto> {
    return this.#act(name, { kind: 'rollback' }, reason, source);
  }

  /** Drops a generation that is built or kept. */
  @PostOk(':name/drop')
  @Refuses('READ_MODEL_NOT_FOUND', 'OTHER_RELEASE', 'GENERATION_NOT_FOUND', 'GENERATION_ANSWERS')
  @ApiActHeaders()
  drop(
    @Param('name') name: string,
    @Body() { reason, generation }: DropBody,
    @CommandSource() source: CommandSource,
  ): Promise<ShownReadModelDto> {
    return this.#act(name, { kind: 'drop', generation }, reason, source);
  }

  /** Stops feeding the generation that is built. */
  @PostOk(':name/pause')
  @Refuses('READ_MODEL_NOT_FOUND', 'OTHER_RELEASE', 'NOTHING_BUILT')
  @ApiActHeaders()
  pause(
    @Param('name') name: string,
    @Body() { reason }: ReasonBody,
    @CommandSource() source: CommandSource,
  ): Promise<ShownReadModelDto> {
    return this.#act(name, { kind: 'pause' }, reason, source);
  }

  /** Goes on with a paused build. */
  @PostOk(':name/resume')
  @Refuses('READ_MODEL_NOT_FOUND', 'OTHER_RELEASE', 'NOTHING_BUILT')
  @ApiActHeaders()
  resume(
    @Param('name') name: string,
    @Body() { reason }: ReasonBody,
    @CommandSource() source: CommandSource,
  ): Promise<ShownReadModelDto> {
    return this.#act(name, { kind: 'resume' }, reason, source);
  }

  #act(name: string, act: ReadModelAct, reason: string, source: CommandSource) {
    return this.commands.execute<ActOnReadModel, ShownReadModelDto>(
      new ActOnReadModel({ name, act, reason, source }),
    );
  }
}
