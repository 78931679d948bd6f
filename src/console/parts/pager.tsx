import { Button, Group, Pagination, Text } from '@mantine/core';
import { counted } from '../words/format.ts';
import { Empty } from './empty.tsx';
import type { UrlState } from './url-state.ts';

/** What every list of the API says of its pages. */
export interface Pages {
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
  readonly totalPages: number;
}

interface Props {
  readonly of: Pages;
  readonly state: UrlState;
  /** One thing of the list, and several where that is not one with an s. */
  readonly noun: readonly [one: string, many?: string];
}

/** Which part of a list is shown, and its other pages. */
export function Pager({ of: { page, perPage, total, totalPages }, state, noun: [one, many] }: Props) {
  const first = (page - 1) * perPage + 1;
  const last = Math.min(page * perPage, total);
  const all = counted(total, one, many);
  return (
    <Group justify="space-between" px="md" py="sm" gap="xs">
      <Text size="xs" c="dimmed" role="status">
        {totalPages > 1 ? `${first.toLocaleString('en-US')}–${last.toLocaleString('en-US')} of ${all}` : all}
      </Text>
      {totalPages > 1 && (
        <Pagination
          size="sm"
          total={totalPages}
          value={page}
          onChange={(next) => state.set({ page: String(next) })}
          getControlProps={(control) => ({ 'aria-label': `${control} page` })}
          getItemProps={(number) => ({ 'aria-label': `Page ${number}` })}
        />
      )}
    </Group>
  );
}

/** An address that names a page after the last one. */
export function PastTheEnd({ of, state }: Pick<Props, 'of' | 'state'>) {
  return (
    <Empty
      title={`There is no page ${of.page}`}
      text={`The list ends with page ${of.totalPages}.`}
      action={<Button onClick={() => state.set({ page: null })}>To the first page</Button>}
    />
  );
}
