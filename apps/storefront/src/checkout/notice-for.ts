import { ApiError } from '#nest';
import { Fault } from '#platform';
import type { Notice } from '../pages/render-page.js';

/** The notice of an error for a player. @throws the error itself where a player can do nothing about it. */
export function noticeFor(error: unknown): Notice {
  if (error instanceof ApiError && error.status === 'NOT_FOUND') return 'missing';
  if (error instanceof ApiError && error.status === 'RESOURCE_EXHAUSTED') return 'unavailable';
  if (error instanceof Fault && error.code === 'unavailable') return 'unavailable';
  throw error;
}
