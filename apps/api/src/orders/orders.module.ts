import { Module } from '@nestjs/common';
import { OrderPlacement } from '#nest';
import { OrderCreations } from './commands/order-creations.js';
import { ORDER_HANDLERS, OrdersController } from './orders.controller.js';

@Module({
  controllers: [OrdersController],
  providers: [OrderCreations, OrderPlacement, ...ORDER_HANDLERS],
})
export class OrdersModule {}
