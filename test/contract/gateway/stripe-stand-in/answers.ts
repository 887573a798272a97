/** An answer of the API: status and a value that is printed as JSON. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export function ok(body: unknown): Answer {
  return { status: 200, body };
}

export function invalid(code: string, message: string, param?: string, status = 400): Answer {
  return refuse(status, { type: 'invalid_request_error', code, message, param });
}

export function refuse(status: number, error: object): Answer {
  return { status, body: { error } };
}
