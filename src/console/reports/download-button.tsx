import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { refused } from '../api/rest.ts';
import { failed } from '../parts/done.ts';
import { download } from '../parts/download.ts';
import { days } from '../words/format.ts';
import { types } from './kinds.ts';
import type { Report } from './queries.ts';

/** Saves the file of a report. */
export function DownloadButton({ report }: { readonly report: Report }) {
  const [isBusy, setBusy] = useState(false);
  const { type, format, startDate, endDate, downloadUrl } = report;
  const save = async () => {
    setBusy(true);
    const result = await refused(download(pathOf(downloadUrl), fileName(report)));
    setBusy(false);
    if ('refusal' in result) failed(`The report was not downloaded: ${result.refusal.message}`);
  };
  return (
    <Button
      variant="default"
      size="compact-sm"
      leftSection={<IconDownload size={14} aria-hidden />}
      loading={isBusy}
      onClick={() => void save()}
      aria-label={`Download ${types[type].label}, ${days(startDate, endDate)}, ${format}`}
    >
      Download
    </Button>
  );
}

/** The path below `/api/v1` of an address that the API gave. */
function pathOf(downloadUrl: string): string {
  const { pathname } = new URL(downloadUrl, location.origin);
  return pathname.slice(pathname.indexOf('/api/v1') + '/api/v1'.length);
}

function fileName({ type, format, startDate, endDate }: Report): string {
  return `${type.toLowerCase().replaceAll('_', '-')}-${startDate}-${endDate}.${format.toLowerCase()}`;
}
