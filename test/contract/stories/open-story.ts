import type { OpenedPersonalData, PersonalOwner } from '#domain/personal-data';

/** The player in the webhooks and answers of the stories. */
export function openStory({
  personal: { referenceId, metadata, ipAddress, itemMetadata },
}: PersonalOwner): OpenedPersonalData {
  return {
    accountId: 'player-42',
    ...(referenceId !== undefined && { referenceId: 'order-7' }),
    ...(ipAddress !== undefined && { ipAddress: '203.0.113.7' }),
    ...(itemMetadata !== undefined && { itemMetadata: [{ chest: 'gold' }, {}] }),
    ...(metadata !== undefined && { metadata: { campaign: 'launch' } }),
  };
}
