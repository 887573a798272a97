import type { ReactNode } from 'react';
import type { PageLocale } from '../languages/page-locale.js';
import { StatusNote } from './page-document.js';

interface ChallengeStepProps {
  readonly locale: PageLocale;
  /** The page of the bank. */
  readonly challengeUrl: string | undefined;
  readonly canPayAnotherWay: boolean;
  /** The form for another way to pay. */
  readonly children: ReactNode;
}

/** The step to the bank, which wants the player to confirm the payment (rules/payments 19). */
export function ChallengeStep({
  locale,
  challengeUrl,
  canPayAnotherWay,
  children,
}: ChallengeStepProps) {
  const { challenged } = locale.texts;
  return (
    <>
      <StatusNote text={challenged.text} />
      <p>
        <a className="button" href={challengeUrl}>
          {challenged.goToBank}
        </a>
      </p>
      {canPayAnotherWay && (
        <>
          <p>{challenged.otherWay}</p>
          {children}
        </>
      )}
    </>
  );
}
