import { Inject, Injectable } from '@nestjs/common';
import type { Instant, Position } from '#domain/event';
import type { EventStore } from '#event-store';
import { EVENT_STORE } from '#nest';

/** When the events at positions of the store were written. */
@Injectable()
export class WrittenTimes {
  constructor(@Inject(EVENT_STORE) private readonly store: Pick<EventStore, 'findTime'>) {}

  /** `""` where there is no position, or nothing there. @throws Fault of the store. */
  async find(position: Position | null): Promise<Instant> {
    return position === null ? '' : ((await this.store.findTime(position)) ?? '');
  }
}
