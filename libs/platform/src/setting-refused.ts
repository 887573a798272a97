import { Fault } from './fault.js';

/** EX_CONFIG of sysexits: a program ended because of a setting, and no new start mends that. */
export const EXIT_BAD_SETTING = 78;

/**
 * A setting cannot work: the service that it names answered, and did not accept it. The message is one sentence that
 * names the setting and shows no secret (rules/running 7).
 */
export class SettingRefused extends Fault {
  constructor(message: string, cause?: unknown) {
    super('refused', message, { retryable: false, ...(cause !== undefined && { cause }) });
  }
}
