import { Injectable } from '@nestjs/common';
import type { Offer } from '#domain/checkout-link';
import { deriveClaimCommandId } from '#domain/ids';
import { type PlanClaim, playerPlansAggregate } from '#domain/player-plans';
import {
  findScheduledClaim,
  scheduleClaim,
  type StartedSubscription,
  type Subscription,
  subscriptionAggregate,
  type SubscriptionEvent,
  type WantedChange,
} from '#domain/subscription';
import type { Accepted } from '#event-store';
import { answer, type CommandContext, Ledger, rejected } from '#nest';
import { assertDefect, newUuid } from '#platform';
import { inScope } from '../../subscriptions/commands/subscription-changes.js';
import type { ChangeLinkDto } from '../change-link.dto.js';

type Result = Accepted<Subscription, SubscriptionEvent> & { readonly bucket: string };

/** Sets and drops changes of the plan that need no page: they wait for the end of the period (rules/lifecycle 11). */
@Injectable()
export class ScheduledChanges {
  constructor(private readonly ledger: Ledger) {}

  /**
   * The subscription decides once more: it may have changed since it was looked at.
   *
   * @throws ApiError where it refuses, or where another subscription was faster to have the plan.
   */
  async schedule(
    { subscriptionId, planId }: StartedSubscription,
    { wanted, offer }: { readonly wanted: WantedChange; readonly offer: Offer },
    context: CommandContext,
  ): Promise<ChangeLinkDto> {
    const { now } = context;
    const bounds = offer.planId === planId ? null : offer.bounds;
    const claim = scheduleClaim(subscriptionId, bounds, newUuid());
    const claimed = claim === undefined ? {} : { claim };
    const command = { kind: 'SchedulePlanChange', wanted, now, ...claimed } as const;
    const scope = inScope(context);
    const result = await this.ledger.execute(
      ...([subscriptionAggregate, subscriptionId, command, context, scope] as const),
    );
    return this.answer(result, context);
  }

  /** The earlier answer to the same request; undefined where it set or dropped nothing. @throws as `schedule`. */
  async answerBefore(id: string, context: CommandContext): Promise<ChangeLinkDto | undefined> {
    if (context.commandId === undefined) return undefined;
    const before = await this.ledger.answerBefore(subscriptionAggregate, id, context);
    return before && this.answer(before, context);
  }

  private async answer(result: Result, context: CommandContext): Promise<ChangeLinkDto> {
    const { state, events } = result;
    assertDefect(state.status !== 'none', 'a change accepted by no subscription');
    const scheduled = events.find(
      (event) => event.type === 'subscription.plan_change_scheduled.v1',
    );
    const claim = scheduled && findScheduledClaim(state.subscriptionId, scheduled.data);
    if (claim) await this.claim(state, claim, context);
    const dropped = events.find((event) => event.type === 'subscription.plan_change_dropped.v1');
    const effectiveAt = dropped?.data.droppedAt ?? state.scheduledChange?.effectiveAt;
    assertDefect(effectiveAt !== undefined, 'a change that was set and does not wait');
    const { revision: _ofSubscription, ...notes } = result;
    return answer({ effectiveAt }, notes);
  }

  /** As the process does that follows from the change (rules/lifecycle 15), so that the caller learns of a refusal. */
  private async claim(
    { subscriptionId, player }: StartedSubscription,
    claim: PlanClaim,
    { commandHash: _ofRequest, ifMatch: _ofSubscription, ...asked }: CommandContext,
  ): Promise<void> {
    const { claimId } = claim;
    const { now } = asked;
    const context = { ...asked, player, commandId: deriveClaimCommandId(claimId) };
    const command = { kind: 'ClaimPlan', claim, now } as const;
    const { events } = await this.ledger.execute(playerPlansAggregate, player, command, context);
    const refused = events.find((event) => event.type === 'player_plans.refused.v1');
    if (refused === undefined) return;
    const drop = { kind: 'DropPlanChange', claimId, now } as const;
    const { commandId: _claims, ...dropping } = context;
    await this.ledger.execute(subscriptionAggregate, subscriptionId, drop, dropping);
    throw rejected({ code: refused.data.refusal });
  }
}
