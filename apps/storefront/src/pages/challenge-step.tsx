import type { ReactNode } from 'react';
import type { RefusalReason } from '../languages/checkout-texts.js';
import type { PageLocale } from '../languages/page-locale.js';
import { ButtonLink } from './parts.js';
import { StatusNote } from './page-document.js';

interface ChallengeStepProps {
  readonly locale: PageLocale;
  /** The page of the bank. */
  readonly challengeUrl: string | undefined;
  /** Why the last click made no attempt. */
  readonly refusal: RefusalReason | undefined;
  /** How long another way to pay has to wait. */
  readonly pauseMs: number;
  readonly canPayAnotherWay: boolean;
  /** The form for another way to pay. */
  readonly children: ReactNode;
}

/** The step to the bank, which wants the player to confirm the payment (rules/payments 19). */
export function ChallengeStep(props: ChallengeStepProps) {
  const { challenged, refusals } = props.locale.texts;
  const { refusal } = props;
  return (
    <>
      {refusal === undefined ? (
        <StatusNote text={challenged.text} />
      ) : (
        <>
          <StatusNote text={refusals[refusal]} kind="bad" />
          <p>{challenged.text}</p>
        </>
      )}
      <p>
        <ButtonLink id="step" href={props.challengeUrl}>
          {challenged.goToBank}
        </ButtonLink>
      </p>
      {props.canPayAnotherWay && <OtherWay {...props} />}
    </>
  );
}

function OtherWay({ locale: { texts }, pauseMs, children }: ChallengeStepProps) {
  const seconds = Math.ceil(pauseMs / 1000);
  return (
    <>
      <p>{texts.challenged.otherWay}</p>
      {seconds > 0 && <p className="note bad">{texts.payment.pauseSeconds({ seconds })}</p>}
      {children}
    </>
  );
}
