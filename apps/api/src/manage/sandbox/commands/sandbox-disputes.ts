import { Inject, Injectable } from '@nestjs/common';
import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Position } from '#domain/event';
import { isId, readBucket } from '#domain/ids';
import { findReference, paymentAggregate, type RequestedPayment } from '#domain/payment';
import {
  type GatewayNotice,
  listDisputes,
  type PaymentGateways,
  readChargeKey,
  readGatewayKind,
  type SandboxDisputeCommand,
  sandboxDisputesAggregate,
  type SandboxNotices,
} from '#gateway';
import {
  answer,
  CLOCK,
  type CommandContext,
  commandWith,
  gatewayNotConfigured,
  Ledger,
  notFound,
  rejected,
} from '#nest';
import { assertDefect, type Clock } from '#platform';
import { ReceiveNotice } from '../../../gateway-notices/commands/receive-notice.js';
import { GATEWAYS, SANDBOX_NOTICES } from '../../../tokens.js';
import { EndsByDispute } from '../ends-by-dispute.js';
import type { ClosedDisputeDto, OpenedDisputeDto } from '../sandbox.dto.js';

/** Disputes in the sandbox's own books, of which the ledger learns by its notices (rules/payments 14). */
@Injectable()
export class SandboxDisputes {
  constructor(
    private readonly ledger: Ledger,
    private readonly bus: CommandBus,
    @Inject(GATEWAYS) private readonly gateways: PaymentGateways,
    @Inject(SANDBOX_NOTICES) private readonly notices: SandboxNotices,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** A payment of the caller's app that the sandbox serves. @throws ApiError 5, or 9 for other apps. */
  async requirePayment(id: string, { appId }: CommandContext) {
    if (!(await this.gateways.serves(appId, 'sandbox'))) throw gatewayNotConfigured();
    const { state } = isId('pay', id)
      ? await this.ledger.load(paymentAggregate, id)
      : { state: { status: 'none' } as const };
    if (state.status === 'none' || state.appId !== appId) throw notFound('payment', id);
    // A payment that another gateway took is disputed there alone.
    if (readGatewayKind(state.paymentMethod) !== 'sandbox') throw gatewayNotConfigured();
    return state;
  }

  /** Does it in the books: once for an Idempotency-Key, on the wall clock, which is the gateway's. */
  record(
    { purpose }: RequestedPayment,
    command: (now: string) => SandboxDisputeCommand,
    { ifMatch: _revision, player: _player, ...context }: CommandContext,
  ) {
    const now = this.clock.now();
    const reference = findReference(purpose);
    // The sandbox is no tenant: its events belong to no app.
    const own = { ...context, appId: 'sandbox', environment: 'test' as const, now };
    return this.ledger.execute(sandboxDisputesAggregate, reference, command(now), own);
  }

  /** Tells the ledger as a gateway does. A repeated call sends a lost notice again. */
  tell(notice: GatewayNotice, { appId, correlationId }: CommandContext): Promise<Position | null> {
    const sent = this.notices.sign(appId, notice);
    return this.bus.execute(
      new ReceiveNotice({ kind: 'sandbox', received: sent, requestId: correlationId }),
    );
  }
}

/** A payment of the sandbox is disputed, as a card network would do (rules/payments 14). */
export class OpenDispute extends commandWith<
  { paymentId: string; amountCents: string | undefined; context: CommandContext },
  OpenedDisputeDto
>() {}

@CommandHandler(OpenDispute)
export class OpenDisputeHandler implements ICommandHandler<OpenDispute> {
  constructor(private readonly disputes: SandboxDisputes) {}

  async execute({ paymentId, amountCents, context }: OpenDispute): Promise<OpenedDisputeDto> {
    const payment = await this.disputes.requirePayment(paymentId, context);
    if (payment.capturedAt === null) throw rejected({ code: 'payment/not_captured' });
    const about = {
      chargeKey: paymentId,
      ...(amountCents !== undefined && { amountMinor: amountCents }),
    };
    const { state, replayed } = await this.disputes.record(
      payment,
      (now) => ({ kind: 'OpenDispute', ...about, now }),
      context,
    );
    // A repeated request is answered with the books as its first one has left them.
    const dispute = listDisputes(state, paymentId).at(-1);
    assertDefect(dispute !== undefined, 'a dispute that was opened and is in no books');
    const { disputeId, chargeKey, amount } = dispute;
    const notice = { kind: 'dispute_opened', chargeKey, disputeId, amount } as const;
    const position = await this.disputes.tell(notice, context);
    return answer({ disputeId }, { position, bucket: readBucket(paymentId), replayed });
  }
}

/** A dispute of the sandbox is decided (rules/payments 14). */
export class CloseDispute extends commandWith<
  { disputeId: string; won: boolean; context: CommandContext },
  ClosedDisputeDto
>() {}

@CommandHandler(CloseDispute)
export class CloseDisputeHandler implements ICommandHandler<CloseDispute> {
  constructor(
    private readonly disputes: SandboxDisputes,
    private readonly ends: EndsByDispute,
  ) {}

  async execute({ disputeId, won, context }: CloseDispute): Promise<ClosedDisputeDto> {
    const paymentId = readChargeKey(disputeId);
    if (paymentId === undefined) throw notFound('dispute', disputeId);
    const payment = await this.disputes.requirePayment(paymentId, context);
    const { state, replayed } = await this.disputes.record(
      payment,
      (now) => ({ kind: 'CloseDispute', disputeId, won, now }),
      context,
    );
    const dispute = state.disputes[disputeId];
    assertDefect(dispute !== undefined, 'a dispute that was closed and is in no books');
    const { chargeKey, amount } = dispute;
    const notice = { kind: 'dispute_closed', chargeKey, disputeId, amount, won } as const;
    const closedAt = await this.disputes.tell(notice, context);
    const position = won ? closedAt : await this.ends.await(payment, closedAt);
    return answer({ disputeId, won }, { position, bucket: readBucket(paymentId), replayed });
  }
}
