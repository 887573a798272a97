import { Webhook } from 'standardwebhooks';

/** Whether a receiver takes a delivery for signed with this secret, by the library of Standard Webhooks. */
export function verifyWebhook(
  secret: string,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: string,
): boolean {
  try {
    // Node gives one text for each of these headers.
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}
