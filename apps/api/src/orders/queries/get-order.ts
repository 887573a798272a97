import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type CreatedOrder, hasNoted } from '#domain/order';
import { type AppCaller, lookUntil, notFound, printed, queryWith, STOPPING } from '#nest';
import { Fault } from '#platform';
import type { ReadModels } from '#projection-engine';
import type { Document } from '#projection-engine/define';
import { orders, payments } from '#projections';
import { renderOrder } from '#representations';
import type { PersonalData } from '#tenancy';
import { PERSONAL_DATA, READ_MODELS } from '../../tokens.js';
import type { OrderDto } from '../order.dto.js';

/** One order of the caller's app. */
export class GetOrder extends queryWith<
  {
    id: string;
    caller: AppCaller;
    /** Until when, by `performance.now()`, to wait for the consequences of an earlier answer; undefined for no wait. */
    waitUntil?: number | undefined;
  },
  OrderDto
>() {}

@QueryHandler(GetOrder)
export class GetOrderHandler implements IQueryHandler<GetOrder> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(STOPPING) private readonly stopping: AbortSignal,
  ) {}

  async execute({ id, caller, waitUntil }: GetOrder): Promise<OrderDto> {
    const found =
      waitUntil === undefined ? await this.#find(id) : await this.#findSettled(id, waitUntil);
    if (found?.state.appId !== caller.appId) throw notFound('order', id);
    const { state, revision } = found;
    const order = renderOrder(state, await this.personalData.open(state));
    return printed(JSON.stringify(order), { revision });
  }

  async #find(id: string): Promise<Document<CreatedOrder> | undefined> {
    return this.readModels.ask(orders).byId(id);
  }

  /**
   * The order once it has noted its payment's event: the answer of a refund names the payment's event, and the order
   * takes that by an event of its own a little later.
   *
   * @throws Fault `unavailable` where it has not noted that in time.
   */
  async #findSettled(id: string, waitUntil: number): Promise<Document<CreatedOrder> | undefined> {
    const look = async () => {
      const found = await this.#find(id);
      const isSettled = found === undefined || (await this.#hasNotedPayment(found.state));
      return isSettled ? { found } : undefined;
    };
    const limitMs = waitUntil - performance.now();
    const settled = await lookUntil(look, { limitMs, stopping: this.stopping });
    if (settled !== undefined) return settled.found;
    throw new Fault('unavailable', `${id} has not noted its payment yet`, { retryable: true });
  }

  async #hasNotedPayment(order: CreatedOrder): Promise<boolean> {
    if (order.paidBy === null) return true;
    const payment = await this.readModels.ask(payments).byId(order.paidBy);
    return payment === undefined || hasNoted(order, payment.state);
  }
}
