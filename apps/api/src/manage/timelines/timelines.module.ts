import { Module } from '@nestjs/common';
import { TIMELINE_HANDLERS, TimelinesController } from './timelines.controller.js';

@Module({ controllers: [TimelinesController], providers: TIMELINE_HANDLERS })
export class TimelinesModule {}
