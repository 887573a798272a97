import { IsIn } from 'class-validator';
import { OneOf } from '#openapi';

const DECISIONS = ['accept', 'decline'] as const;

/** The form of the bank's page: the button that was pressed. */
export class DecisionBody {
  @OneOf(DECISIONS)
  @IsIn(DECISIONS, { message: 'must be accept or decline' })
  decision!: (typeof DECISIONS)[number];
}
