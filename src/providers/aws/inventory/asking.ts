import { followPages, TryLater } from '../../faults.ts';
import type { AwsSession } from '../session.ts';

/** Account and region to list. */
export interface Place {
  /** `aws`, `aws-cn`, `aws-us-gov`. */
  readonly partition: string;
  readonly region: string;
  /** Id of the signed-in account. */
  readonly account: string;
}

/** Parameters of every query. */
export interface Asking {
  readonly session: AwsSession;
  readonly place: Place;
  readonly signal: AbortSignal;
}

/** Maximum pages of a response; a page has 100 to 1,000 items. */
const mostPages = 5_000;

/** Reads all pages of a response.
 *  @param what for messages: `EC2 DescribeVolumes`
 *  @param ask returns a page for the token of the previous one
 *  @param read returns a page's items, and the token of the next page
 *  @throws {TryLater} when a token repeats or there are too many pages: the response would never end */
export async function allPages<Page, Item>(
  what: string,
  ask: (token: string | undefined) => Promise<Page>,
  read: (page: Page) => { items: readonly Item[] | undefined; next: string | undefined },
): Promise<Item[]> {
  const found: Item[] = [];
  for await (const items of pagesOf(what, ask, read)) found.push(...items);
  return found;
}

/** Like `allPages`, one page at a time. */
export async function* pagesOf<Page, Item>(
  what: string,
  ask: (token: string | undefined) => Promise<Page>,
  read: (page: Page) => { items: readonly Item[] | undefined; next: string | undefined },
): AsyncGenerator<readonly Item[]> {
  const endless = (isRepeated: boolean) => {
    const how = isRepeated ? 'the same page was offered twice' : `${mostPages} pages came`;
    return new TryLater(`AWS ${what} answers page after page without an end: ${how}`);
  };
  const pages = followPages(
    async (token) => read(await ask(token)),
    ({ next }) => next || null,
    mostPages,
    endless,
  );
  for await (const { items } of pages) if (items && items.length > 0) yield items;
}
