import { Module } from '@nestjs/common';
import { PLAN_HANDLERS, PlansController } from './plans.controller.js';

@Module({
  controllers: [PlansController],
  providers: PLAN_HANDLERS,
})
export class PlansModule {}
