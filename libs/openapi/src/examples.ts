import type { OpenAPIObject } from '@nestjs/swagger';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Content = Readonly<Record<string, object>>;

/** A real request and its answer. */
export interface Example {
  readonly request?: unknown;
  readonly status: number;
  readonly answer?: unknown;
}

/** By the names of operations, and of operations and statuses. */
export type Examples = Readonly<Record<string, Example>>;

/**
 * An operation with a real request and its answer, as the contract tests recorded them, and with one of each further
 * status, which stands behind the name and a dot. One that has none yet stays without: those tests say so.
 */
export function withExamples(operation: Operation, examples: Examples): Operation {
  const { operationId = '', requestBody, responses } = operation;
  const example = examples[operationId];
  if (example === undefined) return operation;
  const { request } = example;
  const answers = Object.entries(examples)
    .filter(([name]) => name === operationId || name.startsWith(`${operationId}.`))
    .flatMap(([, { status, answer }]) => {
      const answered = responses[String(status)];
      return answered === undefined ? [] : [[String(status), exemplified(answered, answer)]];
    });
  return {
    ...operation,
    ...(requestBody !== undefined && { requestBody: exemplified(requestBody, request) }),
    responses: { ...responses, ...(Object.fromEntries(answers) as typeof responses) },
  };
}

/** The contents that such an example fits, with it: JSON for objects, anything else for texts. */
function exemplified<T extends object>(described: T, example: unknown): T {
  if (example === undefined || !('content' in described)) return described;
  const isText = typeof example === 'string';
  // Bodies and answers have contents of this form.
  const content = Object.entries(described.content as Content).map(
    ([type, media]) =>
      [type, type.endsWith('json') === isText ? media : { ...media, example }] as const,
  );
  return { ...described, content: Object.fromEntries(content) };
}
