import { PLAIN, type PersonalTexts } from './personal-texts.js';

/** What `.v1` of these events held in plain text. */
interface PlainFields {
  readonly externalAccountId?: string;
  readonly referenceId?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Brings what was stored before decision 0097 into the fields of today, marked as plain. */
function toPersonalTexts(data: unknown): unknown {
  // Payments had no reference; the stored form of all three is held by golden files.
  const {
    externalAccountId = '',
    referenceId = '',
    metadata = {},
    ...others
  } = data as PlainFields;
  const personal: PersonalTexts = {
    ...(referenceId !== '' && { referenceId: `${PLAIN}${referenceId}` }),
    ...(Object.keys(metadata).length > 0 && { metadata: `${PLAIN}${JSON.stringify(metadata)}` }),
    accountId: `${PLAIN}${externalAccountId}`,
  };
  return { ...others, personal };
}

/** From the events that held personal data in plain text to those that hold sealed texts. */
export const PERSONAL_DATA_UPCASTERS = [
  'checkout_link.created',
  'payment.requested',
  'subscription.created',
].map((name) => ({ from: `${name}.v1`, to: `${name}.v2`, upcast: toPersonalTexts }));
