import { Module } from '@nestjs/common';
import { BoardGuard } from './board.guard.js';
import { QueueBoardController } from './queue-board.controller.js';
import { QueueBoard } from './queue-board.js';

@Module({ controllers: [QueueBoardController], providers: [BoardGuard, QueueBoard] })
export class QueueBoardModule {}
