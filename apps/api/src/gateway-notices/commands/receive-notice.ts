import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { deepEqual } from 'fast-equals';
import { GATEWAY_KINDS, type GatewayKind } from '#domain/app';
import type { Position } from '#domain/event';
import { isId } from '#domain/ids';
import {
  isGivenUp,
  paymentAggregate,
  type PaymentCommand,
  type RequestedPayment,
} from '#domain/payment';
import type { CommandContext, CommandExecutor } from '#event-store';
import {
  type GatewayNotice,
  type NoticeReaders,
  type PaymentGateways,
  readGatewayKind,
  type ReceivedNotice,
  settleBy,
} from '#gateway';
import {
  ApiError,
  APP_DIRECTORY,
  COMMAND_EXECUTOR,
  commandWith,
  LOG,
  notFound,
  rejected,
} from '#nest';
import { Fault, type Log } from '#platform';
import type { AppDirectory } from '#tenancy';
import { GATEWAYS, NOTICE_READERS } from '../../tokens.js';

/** By then the outcome of a charge has mostly come, which a notice of it has overtaken. */
const OVERTAKEN_RETRY_MS = 10_000;
/** Several apps, and programs of others, may have one account there: each endpoint gets the notices of all. */
const SHARED_ACCOUNTS: ReadonlySet<GatewayKind> = new Set(['stripe']);

type SettledNotice = Extract<GatewayNotice, { readonly kind: 'charge_settled' }>;

/** A gateway tells something by itself (rules/payments 15). @returns the position of its event in the store. */
export class ReceiveNotice extends commandWith<
  { kind: string; received: ReceivedNotice; requestId: string },
  Position | null
>() {}

@CommandHandler(ReceiveNotice)
export class ReceiveNoticeHandler implements ICommandHandler<ReceiveNotice> {
  constructor(
    @Inject(COMMAND_EXECUTOR) private readonly commands: CommandExecutor,
    @Inject(APP_DIRECTORY) private readonly apps: AppDirectory,
    @Inject(GATEWAYS) private readonly gateways: PaymentGateways,
    @Inject(NOTICE_READERS) private readonly readers: NoticeReaders,
    @Inject(LOG) private readonly log: Pick<Log, 'error'>,
  ) {}

  /**
   * @throws ApiError 5 for a payment that is absent or another's, but where others have the same account; 16 for a
   *   notice that the gateway did not sign.
   */
  async execute({ kind, received, requestId }: ReceiveNotice): Promise<Position | null> {
    const gatewayKind = GATEWAY_KINDS.find((known) => known === kind);
    if (gatewayKind === undefined) throw notFound('gateway', kind, 'kind');
    const reader = this.readers.of(gatewayKind);
    const reading = await reader.read(received);
    if (!reading.genuine) throw forged(reading.why);
    const context = await this.#contextFor(gatewayKind, received.appId, requestId);
    let position: Position | null = null;
    for (const notice of reading.notices) {
      position = await this.#apply(notice, gatewayKind, context);
    }
    return position;
  }

  async #contextFor(
    kind: GatewayKind,
    appId: string,
    correlationId: string,
  ): Promise<CommandContext> {
    const app = await this.apps.find(appId);
    const isServed = app !== undefined && (await this.gateways.serves(appId, kind));
    if (!isServed) throw notFound('app', appId);
    const { environment } = app;
    const now = await this.apps.now(app);
    return { appId, environment, actor: 'process:receive_gateway_notice', correlationId, now };
  }

  /** A gateway reports on payments that it took itself, for this app (decision 0027). */
  async #find(
    id: string,
    gatewayKind: GatewayKind,
    appId: string,
  ): Promise<RequestedPayment | undefined> {
    if (!isId('pay', id)) return undefined;
    const { state: payment } = await this.commands.load(paymentAggregate, id);
    if (payment.status === 'none' || payment.appId !== appId) return undefined;
    return readGatewayKind(payment.paymentMethod) === gatewayKind ? payment : undefined;
  }

  /** A notice that contradicts the ledger is logged for people, and changes nothing. */
  #isBelieved(notice: GatewayNotice, payment: RequestedPayment): boolean {
    if (notice.kind !== 'charge_settled') return true;
    const { paymentId, amount } = payment;
    if (notice.amount !== undefined && !deepEqual(notice.amount, amount)) {
      const what = { paymentId, told: notice.amount, known: amount };
      this.log.error(what, 'a gateway tells of another amount than the ledger: it is not believed');
      return false;
    }
    if (!isContradiction(notice, payment)) return true;
    const what = { paymentId, told: 'captured', known: 'declined' };
    this.log.error(what, 'a gateway has captured what it had declined');
    return false;
  }

  async #apply(
    notice: GatewayNotice,
    gatewayKind: GatewayKind,
    context: CommandContext,
  ): Promise<Position | null> {
    const { chargeKey: id } = notice;
    const payment = await this.#find(id, gatewayKind, context.appId);
    if (payment === undefined) {
      // Others use the same account, and their gateway would repeat a refused notice (decision 0027).
      if (SHARED_ACCOUNTS.has(gatewayKind)) return null;
      throw notFound('payment', id);
    }
    if (!this.#isBelieved(notice, payment)) return null;
    const command = toCommand(notice, context.now);
    const result = await this.commands.execute(paymentAggregate, id, command, context, {
      playerOf: () => payment.player,
    });
    if (result.accepted) return result.position;
    if (result.rejection.code !== 'payment/not_captured') {
      throw rejected(result.rejection, 'payment');
    }
    // The gateway knows of a capture that its answer has not told yet: it is to tell this again.
    const message = `${id} is disputed, and its capture is not known yet`;
    throw new Fault('unavailable', message, { retryable: true, retryAfterMs: OVERTAKEN_RETRY_MS });
  }
}

/** A charge has one outcome here: money that was taken all the same is for people to give back. */
function isContradiction({ outcome }: SettledNotice, payment: RequestedPayment): boolean {
  return outcome.status === 'captured' && payment.status === 'FAILED' && !isGivenUp(payment);
}

function toCommand(notice: GatewayNotice, now: string): PaymentCommand {
  switch (notice.kind) {
    case 'charge_settled':
      return settleBy(notice.outcome, now);
    case 'dispute_opened': {
      const { disputeId, amount } = notice;
      return { kind: 'OpenDispute', disputeId, amount, now };
    }
    case 'dispute_closed': {
      const { disputeId, amount, won } = notice;
      return { kind: 'CloseDispute', disputeId, amount, won, now };
    }
    case 'refund_failed':
      return { kind: 'ReverseRefund', refundId: notice.refundKey, now };
  }
}

function forged(why: string): ApiError {
  return new ApiError('UNAUTHENTICATED', {
    reason: 'NOTICE_NOT_VERIFIED',
    message: why,
    headers: { 'www-authenticate': 'Signature realm="subledger"' },
  });
}
