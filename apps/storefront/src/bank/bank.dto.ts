import { IsIn } from 'class-validator';
import { OneOf } from '#openapi';

const DECISIONS = ['accept', 'decline'] as const;

/** What the form of the bank's page sends: the button that was pressed. */
export class DecisionBody {
  @OneOf(DECISIONS)
  @IsIn(DECISIONS, { message: 'must be accept or decline' })
  decision!: (typeof DECISIONS)[number];
}
