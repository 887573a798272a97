import { Module } from '@nestjs/common';
import { PAYMENT_HANDLERS, PaymentsController } from './payments.controller.js';

@Module({ controllers: [PaymentsController], providers: PAYMENT_HANDLERS })
export class PaymentsModule {}
