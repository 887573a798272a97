import { appAggregate } from '#domain/app';
import { endpointListAggregate } from '#domain/endpoint-list';
import { readBucket } from '#domain/ids';
import type { PersonalTexts } from '#domain/personal-data';
import { webhookEndpointAggregate } from '#domain/webhook-endpoint';
import {
  type CommandContext,
  type CommandExecutor,
  createCommandExecutor,
  type LedgerStore,
} from '#event-store';
import { createSeal, newAppId, newId, newUuid, wallClock } from '#platform';
import { createAppSecrets, type PersonalData } from '#tenancy';
import { loadingPersonalData } from './personal-data.js';

/** A player whose key is in the store. */
export interface WrittenPlayer {
  readonly player: string;
  readonly personal: PersonalTexts;
}

/** Writes apps, test apps unless said otherwise, their endpoints and their players straight into a store, as the API does. */
export class WrittenLedger {
  readonly commands: CommandExecutor;
  readonly personalData: PersonalData;
  readonly secrets;

  constructor(
    store: LedgerStore,
    masterKey: Buffer,
    private readonly environment: CommandContext['environment'] = 'test',
  ) {
    // Workers write to the same streams: this process's memory of them may be old.
    this.commands = createCommandExecutor(store, { cacheSize: 0 });
    const seal = createSeal(masterKey);
    this.personalData = loadingPersonalData(this.commands, seal);
    this.secrets = createAppSecrets(seal);
  }

  /** The actor, now. */
  context(appId: string): CommandContext {
    const now = wallClock.now();
    const { environment } = this;
    return { appId, environment, actor: 'app', correlationId: newUuid(), now };
  }

  /** @returns its id, and the secret with which its backend signs. */
  async createApp() {
    const now = wallClock.now();
    const { environment } = this;
    const appId = newAppId(now);
    const { sealed, shown } = await this.secrets.createFor(appId);
    const app = { appId, name: 'Game', environment, createdAt: now, ...sealed } as const;
    await this.commands.execute(
      appAggregate,
      appId,
      { kind: 'CreateApp', app },
      this.context(appId),
    );
    return { appId, ingressSecret: shown.ingressSecret };
  }

  /** @returns the endpoint's id and its secret, as it would be shown. */
  async addEndpoint(appId: string, url: string, eventTypes: readonly string[] = ['*']) {
    const now = wallClock.now();
    const endpointId = newId('whe', now, readBucket(appId));
    const { shown, sealed: sealedSecret } = this.secrets.create(appId, 'webhook secret');
    const fields = { endpointId, appId, url, eventTypes, sealedSecret, createdAt: now };
    const list = { kind: 'ListEndpoints', endpointIds: [endpointId], gone: [] } as const;
    await this.commands.execute(endpointListAggregate, appId, list, this.context(appId));
    const endpoint = { ...fields, accept: '2xx' } as const;
    const command = { kind: 'CreateWebhookEndpoint', endpoint } as const;
    await this.commands.execute(webhookEndpointAggregate, endpointId, command, this.context(appId));
    return { endpointId, secret: `whsec_${shown}` };
  }

  /** A player of their own, with a key: texts sealed for them open. */
  async registerPlayer(
    appId: string,
    accountId: string,
    player = newPlayer(),
  ): Promise<WrittenPlayer> {
    const context = { ...this.context(appId), player };
    return { player, personal: await this.personalData.seal(context, accountId, {}) };
  }
}

/** As a pseudonym, whose first byte is the bucket of all that is the player's. */
function newPlayer(): string {
  return newUuid().replaceAll('-', '');
}
