import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { refused } from '../api/rest.ts';
import { failed } from './done.ts';
import { downloadCsv } from './download.ts';

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
  const save = async () => {
    setBusy(true);
    const result = await refused(downloadCsv(isWhole ? path : paged(path), `${name}.csv`));
    setBusy(false);
    if ('refusal' in result) failed(`The CSV was not made: ${result.refusal.message}`);
  };
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={15} aria-hidden />}
      loading={isBusy}
      onClick={() => void save()}
    >
      CSV
    </Button>
  );
}

function paged(path: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}per_page=${perPage}`;
}

/** A query of REST: a list is repeated, empty ones are left out. A comma divides values there, unless it is told not to. */
export function queryOf(
  values: Readonly<Record<string, string | number | boolean | readonly string[] | null | undefined>>,
) {
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
