import { Refusal } from '../api/refusal.ts';
import { getCsv, getFile, type CsvPage } from '../api/rest.ts';
import { accessToken, isStale, refresh } from '../api/session.ts';

/** Saves a file of the REST API: the token goes in a header, so a plain link will not do.
 *  @param path below `/api/v1`
 *  @throws {Refusal} what the API said */
export async function download(path: string, name: string): Promise<void> {
  save(await getFile(path, await freshToken()), name);
}

/** Saves an answer of the REST API as CSV, all pages of it in one file.
 *  @param path below `/api/v1`
 *  @throws {Refusal} what the API said */
export async function downloadCsv(path: string, name: string): Promise<void> {
  const first = await getCsv(path, await freshToken());
  const texts = [first.text];
  for (let { next } = first; next !== null;) {
    const page = await followingPage(next);
    texts.push(page.text.slice(page.text.indexOf('\r\n') + 2));
    next = page.next;
  }
  save(new Blob(texts, { type: 'text/csv' }), name);
}

/** A page after the first. A long list is more than may be asked for in a minute: the rest is waited for. */
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

async function freshToken(): Promise<string> {
  if (isStale()) await refresh();
  return accessToken() ?? '';
}

function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers read the file only after the click has returned.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
