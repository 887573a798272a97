import { Injectable } from '@nestjs/common';
import { DEFAULT_SEGMENT } from '#domain/app';
import type { Offer } from '#domain/checkout-link';
import type { Instant } from '#domain/event';
import {
  calendarViolations,
  type CreatedPlan,
  isAvailable,
  planAggregate,
  planCodeAggregate,
  planCodeId,
  priceIn,
} from '#domain/plan';
import { invalidFields, Ledger, notFound, rejected } from '#nest';
import type { CreateCheckoutLinkBody } from './checkout-link.dto.js';

/** Which plan, in which currency. */
type PlanQuestion = Pick<CreateCheckoutLinkBody, 'plan' | 'currency' | 'segmentId'>;

/** Finds what a link sells: the plan as the store has it, since a read model may lag. */
@Injectable()
export class CheckoutOffers {
  constructor(private readonly ledger: Ledger) {}

  /**
   * What the plan offers now.
   *
   * @param currencyField what of the request is wrong where the plan has no price in the currency.
   * @throws ApiError when it is not for sale, or not in this currency.
   */
  async find(
    appId: string,
    body: PlanQuestion,
    now: Instant,
    currencyField = 'currency',
  ): Promise<Offer> {
    const plan = await this.findPlan(appId, body);
    const price = priceIn(plan, body.currency);
    if (price === undefined) {
      throw invalidFields([
        { field: currencyField, description: `the plan has no price in ${body.currency}` },
      ]);
    }
    if (!isAvailable(plan, now)) throw rejected({ code: 'plan/not_available' });
    if (calendarViolations(plan, now).length > 0) {
      throw invalidFields([
        { field: 'plan', description: 'its first period would end after the year 9999' },
      ]);
    }
    return {
      planId: plan.planId,
      planName: plan.name,
      planDescription: plan.description,
      price,
      period: plan.billingPeriod,
      trial: plan.trial,
    };
  }

  private async findPlan(appId: string, body: PlanQuestion): Promise<CreatedPlan> {
    const { code, id } = body.plan;
    const planId =
      id ?? (await this.findPlanId(appId, body.segmentId ?? DEFAULT_SEGMENT, code ?? ''));
    const { state: plan } = await this.ledger.load(planAggregate, planId);
    const isOther =
      plan.status === 'none' ||
      plan.appId !== appId ||
      (body.segmentId !== undefined && plan.segmentId !== body.segmentId);
    if (isOther) throw notFound('plan', code ?? planId, code === undefined ? 'id' : 'code');
    return plan;
  }

  private async findPlanId(appId: string, segmentId: string, code: string): Promise<string> {
    const id = planCodeId(appId, segmentId, code);
    const { state } = await this.ledger.load(planCodeAggregate, id);
    if (state.status === 'free') throw notFound('plan', code, 'code');
    return state.planId;
  }
}
