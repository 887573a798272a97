import { Module } from '@nestjs/common';
import { PlanCodes } from './plan-codes.js';
import { PlanRules } from './plan-rules.js';
import { MANAGED_PLAN_HANDLERS, ManagedPlansController } from './plans.controller.js';

@Module({
  controllers: [ManagedPlansController],
  providers: [PlanCodes, PlanRules, ...MANAGED_PLAN_HANDLERS],
})
export class ManagedPlansModule {}
