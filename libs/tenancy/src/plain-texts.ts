import {
  type OpenedPersonalData,
  type PersonalOwner,
  type PersonalTexts,
  PLAIN,
} from '#domain/personal-data';

/** Texts about players that stand in the clear in events of before decision 0097. */

/** Whether the texts about a player are such ones. */
export function isPlain({ personal }: Pick<PersonalOwner, 'personal'>): boolean {
  return personal.accountId !== undefined;
}

export function openPlain({
  accountId = '',
  referenceId,
  metadata,
}: PersonalTexts): OpenedPersonalData {
  return {
    accountId: cutMark(accountId),
    ...(referenceId !== undefined && { referenceId: cutMark(referenceId) }),
    ...(metadata !== undefined && { metadata: parseMetadata(cutMark(metadata)) }),
  };
}

/** The ledger wrote it itself, as strings by name. */
export function parseMetadata(text: string): Readonly<Record<string, string>> {
  return JSON.parse(text) as Readonly<Record<string, string>>;
}

function cutMark(text: string): string {
  return text.slice(PLAIN.length);
}
