import { Module } from '@nestjs/common';
import { OrderPlacement } from '#nest';
import { ORDER_HANDLERS, OrdersController } from './orders.controller.js';

@Module({ controllers: [OrdersController], providers: [OrderPlacement, ...ORDER_HANDLERS] })
export class OrdersModule {}
