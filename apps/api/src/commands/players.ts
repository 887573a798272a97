import { Inject, Injectable } from '@nestjs/common';
import { CommandContexts } from '#nest';
import type { AppSecrets } from '#tenancy';
import { APP_SECRETS } from '../tokens.js';

/** Players by the ids that studios give them: inside of us each has a pseudonym (rules/storage 6). */
@Injectable()
export class Players {
  constructor(
    private readonly contexts: CommandContexts,
    @Inject(APP_SECRETS) private readonly secrets: AppSecrets,
  ) {}

  /** The player's pseudonym. @throws ApiError when there is no such app. */
  async find(appId: string, externalAccountId: string): Promise<string> {
    return this.secrets.pseudonym(await this.contexts.requireApp(appId), externalAccountId);
  }
}
