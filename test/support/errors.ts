import type { Answer } from './api-client.js';

/** The reason in the one ErrorInfo that every error has. @throws Error when there is not exactly one. */
export function errorReason({ body, text }: Answer): unknown {
  const infos = (body.details ?? []).filter((detail) => isOfType(detail, 'ErrorInfo'));
  if (infos.length !== 1) throw new Error(`not exactly one ErrorInfo: ${text}`);
  return infos[0]?.['reason'];
}

/** The names of all bad fields, sorted. */
export function badFields({ body }: Answer): string[] {
  const bad = (body.details ?? []).find((detail) => isOfType(detail, 'BadRequest'));
  const violations = (bad?.['fieldViolations'] ?? []) as { field: string }[];
  return violations.map(({ field }) => field).sort();
}

/** How a call was refused: HTTP status and code, which rules/api 12 ties together, and the reason. */
export function refusal(answer: Answer): [status: number, code: unknown, reason: unknown] {
  return [answer.status, answer.body['code'], errorReason(answer)];
}

function isOfType(detail: Readonly<Record<string, unknown>>, name: string): boolean {
  return detail['@type'] === `type.googleapis.com/google.rpc.${name}`;
}
