/**
 * Says of an operation what its code leads to and yet cannot be there: a code of a rejection, a reason, or the name of
 * what would be missing. The document leaves that out, and every end-to-end test holds it to that (decision 0179).
 */
export const NeverRefusedWith = (..._what: readonly string[]): MethodDecorator => {
  return () => undefined;
};
