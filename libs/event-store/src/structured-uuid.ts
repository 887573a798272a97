/** The text of an id that a store wrote as two numbers of 64 bits, signed or not. */
export function formatUuid(most: bigint, least: bigint): string {
  const digits = (half: bigint) => BigInt.asUintN(64, half).toString(16).padStart(16, '0');
  const hex = digits(most) + digits(least);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
