import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DEFAULT_SEGMENT } from '#domain/app';
import { readBucket } from '#domain/ids';
import { planAggregate, planCodeAggregate, planCodeId, type PlanTerms } from '#domain/plan';
import { answer, type CommandContext, commandWith, invalidFields, Ledger, rejected } from '#nest';
import { assertDefect } from '#platform';
import { renderPlan } from '#representations';
import { type Creation, Creations } from '../../../commands/creations.js';
import type { PlanDto } from '../../../plans/plan.dto.js';
import type { CreatePlanBody } from '../plan-body.dto.js';
import { PlanRules } from '../plan-rules.js';
import { planTerms } from '../plan-terms.js';
import { type PlanCode, PlanCodes } from '../plan-codes.js';

/** Creates a plan; its code is taken from then on (rules/api 17). */
export class CreatePlan extends commandWith<
  { plan: CreatePlanBody; context: CommandContext },
  PlanDto
>() {}

/** Two events in two streams make a plan: its code is reserved, then it is created (decision 0003). */
@CommandHandler(CreatePlan)
export class CreatePlanHandler implements ICommandHandler<CreatePlan> {
  constructor(
    private readonly ledger: Ledger,
    private readonly rules: PlanRules,
    private readonly creations: Creations,
    private readonly codes: PlanCodes,
  ) {}

  /** @throws ApiError 6 PLAN_CODE_TAKEN when a plan of the segment has the code. */
  async execute({ plan: body, context: keyed }: CreatePlan): Promise<PlanDto> {
    const { appId } = keyed;
    const segmentId = body.segmentId ?? DEFAULT_SEGMENT;
    const violations = await this.rules.listViolations(body, keyed);
    if (violations.length > 0) throw invalidFields(violations);
    const terms = planTerms(body);
    const code = { appId, segmentId, code: body.code };
    const creation =
      (await this.creations.repeated('plan', keyed, readBucket(appId))) ??
      (await this.beginUnlessTaken(code, keyed));
    const { id: planId, isRepeated: replayed } = creation;
    if (!replayed || !(await this.codes.hasPlan(planId))) await this.create(creation, code, terms);
    // A repeated request is answered as the first one was, whatever has changed since.
    const created = await this.ledger.load(planAggregate, planId, { toRevision: 0 });
    assertDefect(created.state.status !== 'none', 'a plan that was created just now');
    const bucket = readBucket(planId);
    return answer(renderPlan(created.state), { ...created, bucket, replayed });
  }

  private async create(creation: Creation, code: PlanCode, terms: PlanTerms): Promise<void> {
    const { id: planId, at: createdAt, context } = creation;
    await this.codes.reserve({ ...code, planId }, context);
    const command = { kind: 'CreatePlan', plan: { planId, ...code, createdAt, ...terms } } as const;
    await this.ledger.execute(planAggregate, planId, command, context);
  }

  /**
   * A code that is taken is refused before the key of the request is: refusals leave it free
   * (rules/http 7). Two requests at once may both pass; the code then goes to one of them.
   */
  private async beginUnlessTaken(code: PlanCode, keyed: CommandContext): Promise<Creation> {
    const id = planCodeId(code.appId, code.segmentId, code.code);
    const { state } = await this.ledger.load(planCodeAggregate, id);
    if (state.status === 'reserved' && (await this.codes.hasPlan(state.planId))) {
      throw rejected({ code: 'plan/code_taken', detail: code.code });
    }
    return this.creations.begin('plan', keyed, readBucket(keyed.appId));
  }
}
