import { explainRefusal, readRefusalReason } from '../links/refusal.js';

/** Where a form leads to in the end: with 303. */
interface Target {
  readonly url: string;
}

/**
 * Where a form of a link's page leads on to: where `act` says, else the page of the link, with why a click made
 * no attempt where the page does not show that by itself (rules/storefront 5).
 *
 * @param act is given the path of the page. @throws an error that is neither a refusal nor a part that is out of reach.
 */
export async function leadOn(
  linkId: string,
  act: (page: string) => Promise<string | undefined>,
): Promise<Target> {
  const page = `/checkout/${encodeURIComponent(linkId)}`;
  try {
    return { url: (await act(page)) ?? page };
  } catch (error) {
    const reason = readRefusalReason(error);
    const isTold = explainRefusal(reason) === undefined;
    return { url: isTold ? page : `${page}?refusal=${reason}` };
  }
}
