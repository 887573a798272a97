/** The two forms in which stores write ids (`event_store.client.UUID`), by the generated classes. */
import shared from '@eventstore/db-client/generated/shared_pb.js';

export function textId(id: string) {
  const uuid = new shared.UUID();
  uuid.setString(id.toUpperCase());
  return uuid;
}

export function structuredId(id: string) {
  const hex = id.replaceAll('-', '');
  const half = (digits: string) => String(BigInt.asIntN(64, BigInt(`0x${digits}`)));
  const structured = new shared.UUID.Structured();
  structured.setMostSignificantBits(half(hex.slice(0, 16)));
  structured.setLeastSignificantBits(half(hex.slice(16)));
  const uuid = new shared.UUID();
  uuid.setStructured(structured);
  return uuid;
}
