import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { categoryOf, idOf, type RecordedEvent } from '#domain/event';
import { webhookEndpointAggregate } from '#domain/webhook-endpoint';
import type { AppDirectory } from '#tenancy';
import { type EventConsumer, EventConsumers } from '../feed/event-consumer.js';
import { APPS } from '../tokens.js';

/**
 * Endpoints as a consumer of the feed: each is in its app's list (decision 0095). The reactor has seen to that
 * before; one that could not be listed, since its app's list cannot be read by this release, is found here and
 * parked (rules/events 5), so that it holds up itself alone.
 */
@Injectable()
export class EndpointListConsumer implements EventConsumer<never>, OnModuleInit {
  readonly categories = [webhookEndpointAggregate.category];

  constructor(
    private readonly consumers: EventConsumers,
    @Inject(APPS) private readonly apps: Pick<AppDirectory, 'requireListed'>,
  ) {}

  onModuleInit(): void {
    this.consumers.add(this);
  }

  async plan({ streamName }: RecordedEvent): Promise<undefined> {
    const isEndpoint = categoryOf(streamName) === webhookEndpointAggregate.category;
    if (isEndpoint) await this.apps.requireListed([idOf(streamName)]);
  }

  async perform(): Promise<void> {
    // There is nothing more to it than the list.
  }

  async resume(): Promise<void> {
    // It keeps nothing.
  }

  ownsTarget(): boolean {
    return false;
  }

  async endLost(): Promise<void> {
    // It begins nothing that could be lost.
  }
}
