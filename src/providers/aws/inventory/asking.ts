import { followPages, TryLater } from '../../faults.ts';
import type { GuardedClient } from '../operations.ts';
import type { AwsSession, ClientClass } from '../session.ts';
import type { Kind } from './ledger.ts';

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

/** Parameters of a query; the region is the partition's main one if it is absent. */
export type Asked = Pick<Asking, 'session' | 'signal'> & { readonly place?: Pick<Place, 'region'> };

/** Maximum pages of a response; a page has 100 to 1,000 items. */
const mostPages = 5_000;

/** Names of the token of the next page. */
export interface Paged {
  /** In every response. */
  readonly $metadata?: unknown;
  readonly NextToken?: string | undefined;
  readonly nextToken?: string | undefined;
  readonly Marker?: string | undefined;
  readonly PaginationToken?: string | undefined;
}

interface Command<Page> {
  resolveMiddleware(stack: never, configuration: never, options: never): (args: never) => Promise<{ output: Page }>;
}

/** A list of a service: what the inventory lacks without it, and how to read it. */
export interface List<Page, Item> extends Kind {
  readonly Client: ClientClass<GuardedClient & { send(command: never, options: never): Promise<unknown> }>;
  /** Returns the request of a page.
   *  @param token of the previous page
   *  @param most items per page; the service's maximum by default */
  readonly commandOf: (token: string | undefined, most?: number) => Command<Page>;
  readonly itemsOf: (page: Page) => readonly Item[] | undefined;
}

export function listOf<Page extends Paged, Item>(
  kind: Kind,
  Client: List<Page, Item>['Client'],
  commandOf: List<Page, Item>['commandOf'],
  itemsOf: List<Page, Item>['itemsOf'],
): List<Page, Item> {
  return { ...kind, Client, commandOf, itemsOf };
}

/** Reads all pages of a list; see `pagesOf`. */
export async function allPages<Page extends Paged, Item>(asking: Asked, list: List<Page, Item>): Promise<Item[]> {
  return (await Array.fromAsync(pagesOf(asking, list))).flat();
}

/** Reads a list one page at a time, without empty pages.
 *  @throws {TryLater} when a token repeats or there are too many pages: the response would never end */
export async function* pagesOf<Page extends Paged, Item>(
  { session, place, signal }: Asked,
  { Client, commandOf, itemsOf }: List<Page, Item>,
): AsyncGenerator<readonly Item[]> {
  const client = session.client(Client, place?.region);
  const ask = (token?: string) =>
    client.send(commandOf(token) as never, { abortSignal: signal } as never) as Promise<Page>;
  const nextOf = (page: Page) => page.NextToken || page.nextToken || page.Marker || page.PaginationToken || null;
  const endless = (isRepeated: boolean) => {
    const what = `${Client.name}.${commandOf(undefined).constructor.name}`
      .replace('Client.', ' ')
      .replace(/Command$/, '');
    const how = isRepeated ? 'the same page was returned twice' : `more than ${mostPages} pages`;
    return new TryLater(`AWS ${what} returned pages without end: ${how}`);
  };
  for await (const page of followPages(ask, nextOf, mostPages, endless)) {
    const items = itemsOf(page);
    if (items && items.length > 0) yield items;
  }
}
