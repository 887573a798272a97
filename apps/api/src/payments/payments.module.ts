import { Module } from '@nestjs/common';
import { PaymentsController } from './payments.controller.js';
import { GetPaymentHandler } from './queries/get-payment.js';

@Module({ controllers: [PaymentsController], providers: [GetPaymentHandler] })
export class PaymentsModule {}
