import { IconDownload } from '@tabler/icons-react';
import { useEffect } from 'react';
import { Act } from '../form/menu.tsx';
import { Refusal } from '../../api/refusal.ts';
import { getCsv, getFile, type CsvPage } from '../../api/rest.ts';
import { accessToken, isStale, refresh } from '../../api/session.ts';
import { failed } from '../form/dialog.tsx';
import { useCall } from '../../api/use-api.ts';

interface Props {
  /** Path with query in REST spelling, relative to `/api/v1`. */
  readonly path: string;
  /** File name without extension. */
  readonly name: string;
  /** The response is not paginated. */
  readonly isWhole?: boolean;
  /** Reduces the CSV to the shown rows. */
  readonly reduce?: ((text: string) => string) | undefined;
}

/** Rows per page; the API's maximum. */
const perPage = 100;

/** Button that downloads the shown list as CSV, including all pages. */
export function CsvButton({ path, name, isWhole = false, reduce }: Props) {
  const { start, isBusy } = useDownload('The CSV could not be created');
  const create = () => downloadCsv(isWhole ? path : paged(path), `${name}.csv`, reduce);
  return <Act label="CSV" Icon={IconDownload} loading={isBusy} onClick={() => start(create)} />;
}

/** Runs downloads, one at a time.
 *  @param failure starts the message if one fails */
export function useDownload(failure: string) {
  const { run, isBusy, refusal } = useCall();
  useEffect(() => {
    if (refusal) failed(`${failure}: ${refusal.message}`);
  }, [refusal, failure]);
  return { start: (call: () => Promise<void>) => void run(call), isBusy };
}

function paged(path: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}per_page=${perPage}`;
}

/** Query parameter value; a list becomes repeated parameters. */
export type QueryValue = string | number | boolean | readonly string[];

/** Builds a REST query: repeats lists and omits empty values. Escapes commas, which separate values in REST unless escaped. */
export function queryOf(values: Readonly<Record<string, QueryValue | null | undefined>>) {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) {
    if (value === null || value === undefined || value === '') continue;
    const isList = typeof value === 'object';
    if (isList) for (const one of value) query.append(key, one.replaceAll(',', '\\,'));
    else query.append(key, String(value));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** Downloads a file from the REST API; a plain link cannot send the token header.
 *  @param path relative to `/api/v1`
 *  @throws {Refusal} the API error */
export async function download(path: string, name: string): Promise<void> {
  save(await getFile(path, await freshToken()), name);
}

/** Downloads all CSV pages of a REST list as one file.
 *  @param path relative to `/api/v1`
 *  @throws {Refusal} the API error */
export async function downloadCsv(path: string, name: string, reduce = (text: string) => text): Promise<void> {
  const first = await getCsv(path, await freshToken());
  const texts = [first.text];
  for (let { next } = first; next !== null;) {
    const page = await followingPage(next);
    texts.push(page.text.slice(page.text.indexOf('\r\n') + 2));
    next = page.next;
  }
  save(new Blob([reduce(texts.join(''))], { type: 'text/csv' }), name);
}

/** Fetches a page after the first. Long lists exceed the rate limit per minute, so it waits and retries. */
async function followingPage(path: string): Promise<CsvPage> {
  for (;;) {
    try {
      return await getCsv(path, await freshToken());
    } catch (thrown) {
      const seconds = thrown instanceof Refusal && thrown.code === 'RATE_LIMITED' ? thrown.retryAfter : null;
      if (seconds === null) throw thrown;
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    }
  }
}

/** Returns an access token that is valid for a while. */
export async function freshToken(): Promise<string> {
  if (isStale()) await refresh();
  return accessToken() ?? '';
}

/** Saves a file as a download of the browser. */
export function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers read the file only after the click handler returns; 10 seconds.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
