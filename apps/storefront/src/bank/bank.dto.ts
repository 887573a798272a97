import { IsIn } from 'class-validator';

const DECISIONS = ['accept', 'decline'] as const;

/** What the form of the bank's page sends: the button that was pressed. */
export class DecisionBody {
  @IsIn(DECISIONS, { message: 'must be accept or decline' })
  decision!: (typeof DECISIONS)[number];
}
