import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { queryWith } from '#nest';
import { openReadModel, placedIn } from '#projection-engine';
import type { OperatorIdentity } from '#tenancy';
import { type ReadModelDifference, verifySample } from '#verification';
import { requireAllApps } from '../../../auth/operator-scope.js';
import { LedgerOfReadModels } from '../ledger-of-read-models.js';
import type { DifferenceDto, VerificationDto } from '../projection.dto.js';

/** Differences in one answer: an operator reads the first of them, and the command line names all. */
const SHOWN = 100;
/** A request that has waited for longer has lost its caller. */
const LIMIT_MS = 25_000;

/** Compares documents that are drawn by chance with their events, folded by the domain alone (rules/read-models 4). */
export class VerifyReadModel extends queryWith<
  { operator: OperatorIdentity; name: string; sample: number },
  VerificationDto
>() {}

@QueryHandler(VerifyReadModel)
export class VerifyReadModelHandler implements IQueryHandler<VerifyReadModel> {
  constructor(private readonly ledger: LedgerOfReadModels) {}

  async execute({ operator, name, sample }: VerifyReadModel): Promise<VerificationDto> {
    requireAllApps(operator);
    const { readModel, ofThisRelease: projection } = await this.ledger.requireOwn(name);
    const { store, redis, identity } = this.ledger;
    const partitions = placedIn(openReadModel(readModel, identity), 'checkpoint');
    const signal = AbortSignal.timeout(LIMIT_MS);
    const options = { store, redis, projection, partitions, signal, count: sample };
    const { checked, total, differences, uncompared, parked } = await verifySample(options);
    const shown = differences.slice(0, SHOWN).map(renderDifference);
    return { checked, total, differences: shown, uncompared, parkedStreams: parked };
  }
}

function renderDifference(difference: ReadModelDifference): DifferenceDto {
  const { kind, id, partition, field, expected = '', found = '' } = difference;
  return { kind, id, partition, field, expected, found };
}
