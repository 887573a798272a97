import { ApiExtension } from '@nestjs/swagger';

/** The extension under which an operation notes its reasons until the document is completed. */
export const REFUSES = 'x-refuses';

/**
 * Documents the reasons of the errors that an operation can answer with, beside those of every operation
 * (decision 0018). Each end-to-end test holds the refusals that it meets to the document.
 *
 * @param reasons as callers read them: `PLAN_NOT_FOUND`.
 */
export const Refuses = (...reasons: readonly string[]) => ApiExtension(REFUSES, reasons);
