import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '#platform';
import type {
  GatewayNotice,
  NoticeReader,
  NoticeReading,
  ReceivedNotice,
} from './gateway-notice.js';

/** The header of the sandbox's signature: `t={seconds},v1={hex}`. */
const SIGNATURE_HEADER = 'sandbox-signature';
const SIGNATURE = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/;
/** A notice that is older may be a replay. */
const TOLERANCE_MS = 5 * 60_000;

/** A notice as the sandbox sends it. */
type SentNotice = ReceivedNotice;

/** The sandbox's notices: it signs them, and they are verified as those of a real gateway are. */
export interface SandboxNotices extends NoticeReader {
  sign(appId: string, notice: GatewayNotice): SentNotice;
}

/**
 * @param keys the sandbox's own secrets, the newest first; each verifies, the first signs. The signature covers
 *   the app: a notice of one app's is none of another's.
 */
export function createSandboxNotices(options: {
  readonly keys: () => readonly Buffer[];
  readonly clock: Clock;
}): SandboxNotices {
  const { keys, clock } = options;
  return {
    sign: (appId, notice) => {
      const body = Buffer.from(JSON.stringify(notice));
      const seconds = String(Math.floor(Date.parse(clock.now()) / 1000));
      const mac = computeMac(keys()[0] ?? Buffer.alloc(0), seconds, { appId, body }).toString(
        'hex',
      );
      return { appId, headers: { [SIGNATURE_HEADER]: `t=${seconds},v1=${mac}` }, body };
    },
    read: (received) => Promise.resolve(verify(keys(), Date.parse(clock.now()), received)),
  };
}

function verify(keys: readonly Buffer[], nowMs: number, received: ReceivedNotice): NoticeReading {
  const header = received.headers[SIGNATURE_HEADER];
  const [, seconds = '', hex = ''] = SIGNATURE.exec(String(header)) ?? [];
  if (seconds === '') return { genuine: false, why: 'The signature is missing or malformed.' };
  const given = Buffer.from(hex, 'hex');
  const isSigned = keys.some((key) => timingSafeEqual(computeMac(key, seconds, received), given));
  if (!isSigned) return { genuine: false, why: 'The signature does not match.' };
  if (Math.abs(nowMs - Number(seconds) * 1000) > TOLERANCE_MS) {
    return { genuine: false, why: 'The timestamp is over 5 minutes off.' };
  }
  // A body with the sandbox's signature was printed by `sign`.
  return { genuine: true, notices: [JSON.parse(received.body.toString()) as GatewayNotice] };
}

function computeMac(
  key: Buffer,
  seconds: string,
  { appId, body }: Pick<ReceivedNotice, 'appId' | 'body'>,
): Buffer {
  return createHmac('sha256', key).update(`${seconds}.${appId}.`).update(body).digest();
}
