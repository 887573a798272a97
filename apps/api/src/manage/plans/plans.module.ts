import { Module } from '@nestjs/common';
import { ChangePlanStatusHandler } from './commands/change-plan-status.js';
import { CreatePlanHandler } from './commands/create-plan.js';
import { RevisePlanHandler } from './commands/revise-plan.js';
import { PlanCodes } from './plan-codes.js';
import { ManagedPlansController } from './plans.controller.js';
import { ListManagedPlansHandler } from './queries/list-managed-plans.js';

@Module({
  controllers: [ManagedPlansController],
  providers: [
    PlanCodes,
    ...[CreatePlanHandler, RevisePlanHandler, ChangePlanStatusHandler, ListManagedPlansHandler],
  ],
})
export class ManagedPlansModule {}
