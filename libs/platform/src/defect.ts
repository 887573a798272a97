/** We were wrong (rules/events 8): the caller sees 500 with a request id and nothing else. */
export class Defect extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'Defect';
  }
}

/**
 * States an invariant.
 *
 * @throws Defect with `message` when it is not so.
 */
export function assertDefect(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Defect(message);
}
