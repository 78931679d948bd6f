import { Alert } from '@mantine/core';
import { IconHourglass } from '@tabler/icons-react';
import { count } from '../words/format.ts';
import { useLoading } from './queries.ts';

/** Says that figures will grow because accounts are still loading their first bills. */
export function LoadingNote() {
  return <StillLoading {...useLoading()} />;
}

/** The note, if accounts are loading. */
export function StillLoading({ loading, total }: ReturnType<typeof useLoading>) {
  if (loading === 0) return null;
  return (
    <Alert color="yellow" icon={<IconHourglass size={18} aria-hidden />} p="xs" role="status">
      {count(loading)} of {total === 1 ? '1 account is' : `${count(total)} accounts ${loading === 1 ? 'is' : 'are'}`}{' '}
      still loading. Figures are incomplete until loading has finished.
    </Alert>
  );
}
