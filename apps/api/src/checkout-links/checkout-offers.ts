import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DEFAULT_SEGMENT } from '#domain/app';
import type { Offer } from '#domain/checkout-link';
import type { Instant } from '#domain/event';
import {
  calendarViolations,
  type CreatedPlan,
  isAvailable,
  type Plan,
  planAggregate,
  planCodeAggregate,
  planCodeId,
  priceIn,
} from '#domain/plan';
import { findBounds } from '#domain/player-plans';
import { invalidFields, Ledger, notFound, rejected } from '#nest';
import { SharedReads, upTo } from '#platform';
import type { CreateCheckoutLinkBody } from './checkout-link.dto.js';

/** Of codes with the plans that they are of: some 2 MB. */
const KNOWN_CODES = 10_000;

/** Which plan, in which currency. */
type PlanQuestion = Pick<CreateCheckoutLinkBody, 'plan' | 'currency' | 'segmentId'>;

/** Finds the offer of a link: the plan as the store has it, since a read model may lag. */
@Injectable()
export class CheckoutOffers {
  private readonly planIds = new LRUCache<string, string>(upTo(KNOWN_CODES));
  /** Requests of one moment share a read. */
  private readonly plans = new SharedReads(
    async (planId: string) => (await this.ledger.load(planAggregate, planId)).state,
  );

  constructor(private readonly ledger: Ledger) {}

  /**
   * The plan's present offer.
   *
   * @param currencyField the field to name where the plan has no price in the currency.
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
      bounds: findBounds(plan),
    };
  }

  private async findPlan(appId: string, body: PlanQuestion): Promise<CreatedPlan> {
    const { code, id } = body.plan;
    if (id !== undefined) return this.requirePlan(appId, body, id, await this.plans.load(id));
    const segmentId = body.segmentId ?? DEFAULT_SEGMENT;
    const codeId = planCodeId(appId, segmentId, code ?? '');
    const known = this.planIds.get(codeId);
    const planId = known ?? (await this.findPlanId(codeId, code ?? ''));
    const plan = this.requirePlan(appId, body, planId, await this.plans.load(planId));
    // The code of a plan that is there is its own for good (decision 0003).
    this.planIds.set(codeId, planId);
    return plan;
  }

  private requirePlan(appId: string, body: PlanQuestion, planId: string, plan: Plan): CreatedPlan {
    const { code } = body.plan;
    const isOther =
      plan.status === 'none' ||
      plan.appId !== appId ||
      (body.segmentId !== undefined && plan.segmentId !== body.segmentId);
    if (isOther) throw notFound('plan', code ?? planId, code === undefined ? 'id' : 'code');
    return plan;
  }

  private async findPlanId(codeId: string, code: string): Promise<string> {
    const { state } = await this.ledger.load(planCodeAggregate, codeId);
    if (state.status === 'free') throw notFound('plan', code, 'code');
    return state.planId;
  }
}
