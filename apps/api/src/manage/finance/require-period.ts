import { A_MONTH, isPeriod } from '#finance';
import { invalidFields } from '#nest';

/** The month that a path names. @throws ApiError for other texts. */
export function requirePeriod(text: string): string {
  if (isPeriod(text)) return text;
  throw invalidFields([{ field: 'period', description: `must be ${A_MONTH}` }]);
}
