import type { Purchases } from './purchases.js';
import { startReceiver } from './receiver.js';

/** Its account at the gateway answers late; the sandbox captures it. */
export const SLOW_CARD = 'pm_renewal_declines';
export const SLOW_ANSWER_MS = 10_000;

/** The receivers of merchants. */
export interface Receivers {
  /** That of the quiet app. */
  readonly url: string;
  readonly otherUrl: string;
  /** Never answers. */
  readonly deadUrl: string;
  /** Resolves when the next purchase of the quiet app has its webhook. */
  nextPurchase(): Promise<void>;
  close(): void;
}

export async function startReceivers(): Promise<Receivers> {
  let arrive: () => void = () => undefined;
  const receiver = await startReceiver((request, body) => {
    if (request.url === '/quiet' && body.includes('"type":"subscription.created"')) arrive();
  });
  return {
    ...{ ...receiver, url: `${receiver.url}/quiet`, otherUrl: `${receiver.url}/other` },
    nextPurchase: () => new Promise<void>((resolve) => (arrive = resolve)),
  };
}

/** One purchase after the other. @returns how long each took from the click to its webhook, in ms. */
export async function buyOneByOne(
  quiet: Purchases,
  receiver: Receivers,
  count: number,
): Promise<number[]> {
  const tookMs: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const startedAtMs = performance.now();
    const arrived = receiver.nextPurchase();
    await quiet.buyOne();
    await arrived;
    tookMs.push(performance.now() - startedAtMs);
  }
  return tookMs;
}
