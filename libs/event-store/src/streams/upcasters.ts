import type { EventMetadata } from '#domain/event';
import { WEBHOOK_ENDPOINT_UPCASTERS } from '#domain/webhook-endpoint';
import { assertDefect } from '#platform';

/** Brings the payload of one stored version to the next. Pure; its golden file stays for ever. */
export interface Upcaster {
  /** The stored type name, `webhook_endpoint.created.v1`. */
  readonly from: string;
  /** The type name of its result, `webhook_endpoint.created.v2`. */
  readonly to: string;
  readonly upcast: (data: unknown, metadata: EventMetadata) => unknown;
}

/** The upcasters that make new versions of old stored events. */
export const UPCASTERS: readonly Upcaster[] = [...WEBHOOK_ENDPOINT_UPCASTERS];

/** A chain of upcasters, looked up by the stored type name. */
export interface UpcasterChain {
  /** The newest version of a stored type: the type itself when nothing newer is known. */
  newest(type: string): string;
  /** The payload as the newest version has it. */
  upcast(type: string, data: unknown, metadata: EventMetadata): unknown;
}

/** @throws Defect when two upcasters start from one type, or when they go round in a circle. */
export function chainUpcasters(upcasters: readonly Upcaster[]): UpcasterChain {
  const byType = new Map<string, Upcaster>();
  for (const upcaster of upcasters) {
    assertDefect(!byType.has(upcaster.from), `two upcasters start from ${upcaster.from}`);
    byType.set(upcaster.from, upcaster);
  }
  for (const start of byType.keys()) assertEnds(byType, start);
  return {
    newest: (type) => {
      let name = type;
      for (let step = byType.get(name); step; step = byType.get(name)) name = step.to;
      return name;
    },
    upcast: (type, data, metadata) => {
      let upcast = data;
      for (let step = byType.get(type); step; step = byType.get(step.to)) {
        upcast = step.upcast(upcast, metadata);
      }
      return upcast;
    },
  };
}

function assertEnds(byType: ReadonlyMap<string, Upcaster>, start: string): void {
  let steps = 0;
  for (let step = byType.get(start); step; step = byType.get(step.to)) {
    steps += 1;
    assertDefect(steps <= byType.size, `the upcasters from ${start} go round in a circle`);
  }
}
