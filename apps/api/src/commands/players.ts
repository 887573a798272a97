import { Inject, Injectable } from '@nestjs/common';
import { CommandContexts } from '#nest';
import type { AppSecrets, PersonalData } from '#tenancy';
import { APP_SECRETS, PERSONAL_DATA } from '../tokens.js';

/** Players by the ids that studios give them: inside of us each has a pseudonym (rules/storage 6). */
@Injectable()
export class Players {
  constructor(
    private readonly contexts: CommandContexts,
    @Inject(APP_SECRETS) private readonly secrets: AppSecrets,
    @Inject(PERSONAL_DATA) private readonly personalData: Pick<PersonalData, 'seal'>,
  ) {}

  /** The player's pseudonym. @throws ApiError when there is no such app. */
  async find(appId: string, externalAccountId: string): Promise<string> {
    return this.secrets.pseudonym(await this.contexts.requireApp(appId), externalAccountId);
  }

  /** Seals a new object's texts about a player, who is registered before where that is the first one. */
  seal(...asked: Parameters<PersonalData['seal']>): ReturnType<PersonalData['seal']> {
    return this.personalData.seal(...asked);
  }
}
