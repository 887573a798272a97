/** A text, key, signature or proof is not as it must be; the message is a sentence for the person who gave it. */
export class InvalidSeal extends Error {
  override readonly name = 'InvalidSeal';
}

/** @throws InvalidSeal with the sentence, unless the condition holds. */
export function assertValid(condition: boolean, sentence: string): asserts condition {
  if (!condition) throw new InvalidSeal(sentence);
}

/** The bytes of a base64 text, which has one spelling: the one that an encoder gives. */
export function decodeBase64(text: string, name: string, bytes?: number): Buffer {
  const decoded = Buffer.from(text, 'base64');
  assertValid(decoded.toString('base64') === text, `The ${name} is not base64.`);
  const isLong = bytes === undefined || decoded.length === bytes;
  assertValid(isLong, `The ${name} has ${decoded.length} bytes, and must have ${bytes ?? 0}.`);
  return decoded;
}
