import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { Refusal } from '../../api/refusal.ts';
import { getCsv, getFile, refused, type CsvPage } from '../../api/rest.ts';
import { accessToken, isStale, refresh } from '../../api/session.ts';
import { failed } from '../form/dialog.tsx';

interface Props {
  /** Path below `/api/v1` with its query, in the spelling of REST. */
  readonly path: string;
  /** Name of the file without its ending. */
  readonly name: string;
  /** The answer has no pages. */
  readonly isWhole?: boolean;
}

/** Rows of a page, the most that the API gives. */
const perPage = 100;

/** Saves what the page shows as CSV, all pages of it. */
export function CsvButton({ path, name, isWhole = false }: Props) {
  const [isBusy, setBusy] = useState(false);
  const start = async () => {
    setBusy(true);
    const result = await refused(downloadCsv(isWhole ? path : paged(path), `${name}.csv`));
    setBusy(false);
    if ('refusal' in result) failed(`The CSV could not be created: ${result.refusal.message}`);
  };
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={15} aria-hidden />}
      loading={isBusy}
      onClick={() => void start()}
    >
      CSV
    </Button>
  );
}

function paged(path: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}per_page=${perPage}`;
}

/** A value of a query; a list is repeated. */
export type QueryValue = string | number | boolean | readonly string[];

/** A query of REST: a list is repeated, empty ones are left out. A comma divides values there, unless it is told not to. */
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

/** Saves a file of the REST API: the token goes in a header, so a plain link will not do.
 *  @param path below `/api/v1`
 *  @throws {Refusal} what the API said */
export async function download(path: string, name: string): Promise<void> {
  save(await getFile(path, await freshToken()), name);
}

/** Saves an answer of the REST API as CSV, all pages of it in one file.
 *  @param path below `/api/v1`
 *  @throws {Refusal} what the API said */
async function downloadCsv(path: string, name: string): Promise<void> {
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
