import { followPages, TryLater } from '../../faults.ts';
import type { AwsSession } from '../session.ts';

/** Where and of whom something is listed. */
export interface Place {
  /** `aws`, `aws-cn`, `aws-us-gov`. */
  readonly partition: string;
  readonly region: string;
  /** Number of the account that is signed in. */
  readonly account: string;
}

/** What every question takes. */
export interface Asking {
  readonly session: AwsSession;
  readonly place: Place;
  readonly signal: AbortSignal;
}

/** Pages hold 100 to 1,000 items. */
const mostPages = 5_000;

/** Reads an answer that comes in pages to its end.
 *  @param what for the message: `EC2 DescribeVolumes`
 *  @param ask one page, by the token of the one before
 *  @param next the token of a page's next one, and its items
 *  @throws {TryLater} when a token comes twice, or too many come: the answer would never end */
export async function allPages<Page, Item>(
  what: string,
  ask: (token: string | undefined) => Promise<Page>,
  read: (page: Page) => { items: readonly Item[] | undefined; next: string | undefined },
): Promise<Item[]> {
  const found: Item[] = [];
  for await (const items of pagesOf(what, ask, read)) found.push(...items);
  return found;
}

/** As `allPages`, a page at a time. */
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
