import { Module } from '@nestjs/common';
import { PlansController } from './plans.controller.js';
import { GetPlanByCodeHandler } from './queries/get-plan-by-code.js';
import { GetPlanHandler } from './queries/get-plan.js';
import { ListPlansHandler } from './queries/list-plans.js';

@Module({
  controllers: [PlansController],
  providers: [GetPlanByCodeHandler, GetPlanHandler, ListPlansHandler],
})
export class PlansModule {}
