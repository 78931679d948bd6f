import { invalid } from '../../kit/errors.ts';
import { followPages } from '../pages.ts';
import type { GoogleSession } from './session.ts';

/** Asks one of Google's services for a page of JSON.
 *  @param url as Google is addressed: `https://cloudasset.googleapis.com/…`; on the list of `operations.ts`
 *  @throws {GoogleFault} what Google refuses
 *  @throws {TryLater} */
export async function getJson<T>(session: GoogleSession, url: URL, signal: AbortSignal): Promise<T> {
  return session.use(signal, async ({ jwt }) => {
    const { data } = await jwt.request<T>({ url, method: 'GET', responseType: 'json', signal });
    return data;
  });
}

const maxPages = 20_000;

/** Every page of a listing, one after the other.
 *  @throws {AppError} VALIDATION_ERROR when the paging does not end; and as `getJson` */
export function pagesOf<T extends { nextPageToken?: string }>(
  session: GoogleSession,
  url: URL,
  signal: AbortSignal,
): AsyncGenerator<T> {
  const ask = (token?: string) => {
    const page = new URL(url);
    if (token !== undefined) page.searchParams.set('pageToken', token);
    return getJson<T>(session, page, signal);
  };
  const endless = () => invalid`Google Cloud: the pages of ${url.hostname}${url.pathname} do not end`;
  return followPages(ask, ({ nextPageToken }) => nextPageToken || null, maxPages, endless);
}
