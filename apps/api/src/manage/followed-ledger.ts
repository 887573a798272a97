import { Inject, Injectable } from '@nestjs/common';
import { APP_DIRECTORY, Ledger } from '#nest';
import type { AppDirectory } from '#tenancy';

/** An answer waits this long for this process's own memory of the apps to show the change. */
const FOLLOW_LIMIT_MS = 5000;

/** Runs commands on this process's memory: the next request finds the changes. */
@Injectable()
export class FollowedLedger {
  /** As `Ledger.execute`. @throws Fault `unavailable` also where the memory does not follow in time. */
  readonly execute: Ledger['execute'];
  /** As `Ledger.load`. */
  readonly load: Ledger['load'];

  constructor(ledger: Ledger, @Inject(APP_DIRECTORY) apps: AppDirectory) {
    this.load = (...stream) => ledger.load(...stream);
    this.execute = async (...command) => {
      const result = await ledger.execute(...command);
      if (result.position !== null) await apps.waitFor(result.position, FOLLOW_LIMIT_MS);
      return result;
    };
  }
}
