import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconFileExport } from '@tabler/icons-react';
import { useState } from 'react';
import { refused } from '../api/rest.ts';
import { failed } from '../parts/done.ts';
import { download } from '../parts/download.ts';
import { focusPath } from './csv.ts';
import type { Question } from './question.ts';

const formats = [
  { value: 'focus_csv', label: 'FOCUS as CSV', ending: 'csv' },
  { value: 'focus_parquet', label: 'FOCUS as Parquet', ending: 'parquet' },
] as const;

/** Saves the charges behind the figures, a row for each charge and day, with FOCUS columns. */
export function ExportMenu({ question }: { readonly question: Question }) {
  const [isBusy, setBusy] = useState(false);
  const save = async ({ value, ending }: (typeof formats)[number]) => {
    const { from, to } = question.range;
    setBusy(true);
    const result = await refused(download(focusPath(question, value), `focus-${from}-${to}.${ending}`));
    setBusy(false);
    if ('refusal' in result) failed(`The export failed: ${result.refusal.message}`);
  };
  return (
    <Menu position="bottom-end" shadow="md" returnFocus>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconFileExport size={15} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
          loading={isBusy}
        >
          Export FOCUS
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {formats.map((format) => (
          <Menu.Item key={format.value} onClick={() => void save(format)}>
            {format.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
