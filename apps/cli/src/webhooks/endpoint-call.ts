import type { ApiRequest } from '../api.js';

/** The path of an endpoint, below the app's own path; an act follows it. */
export function endpointPath(id: string, act = ''): string {
  return `webhook-endpoints/${encodeURIComponent(id)}${act === '' ? '' : `/${act}`}`;
}

export function jsonRequest(method: 'PATCH' | 'POST', body: object): ApiRequest {
  return { method, contentType: 'application/json', body: JSON.stringify(body) };
}

/** `a,b, c` as a list. */
export function listOption(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}
