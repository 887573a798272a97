import { IsBoolean } from 'class-validator';
import { IsLine, IsPositiveAmountCents, Omittable } from '#nest/dto';
import { MinorUnits } from '#openapi';

/** rules/payments 14 */
export class OpenDisputeBody {
  @IsLine(1, 100)
  paymentId!: string;

  /** How much is disputed; all that was not given back where it is omitted. */
  @Omittable()
  @MinorUnits()
  @IsPositiveAmountCents()
  amountCents?: string;
}

export class OpenedDisputeDto {
  disputeId!: string;
}

export class CloseDisputeBody {
  /** Whether the merchant keeps the money. */
  @IsBoolean({ message: 'must be true or false' })
  won!: boolean;
}

export class ClosedDisputeDto {
  disputeId!: string;
  won!: boolean;
}
