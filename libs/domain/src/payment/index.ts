import type { Aggregate } from '../decider/index.js';
import { paymentDecider, type PaymentCommand, type PaymentRejection } from './payment.decide.js';
import type { PaymentEvent } from './payment.events.js';
import type { Payment } from './payment.state.js';

export * from './payment.decide.js';
export * from './payment.events.js';
export * from './payment.state.js';

export const paymentAggregate: Aggregate<Payment, PaymentCommand, PaymentEvent, PaymentRejection> =
  {
    category: 'payment',
    decider: paymentDecider,
  };
