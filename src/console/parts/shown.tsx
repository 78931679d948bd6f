import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Answer } from '../api/use-answer.ts';
import { RefusalNote } from './refusal.tsx';

interface Props<Data> {
  readonly of: Answer<Data>;
  /** Height in px of what will stand here, so that nothing jumps. */
  readonly height?: number;
  /** In place of a grey block while loading. */
  readonly skeleton?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** An answer in its states: loading, refused (denied, limited, away, not found), or there. While a newer one is on its way
 *  the last stays, a little paler. */
export function Shown<Data>({ of, height = 200, skeleton, children }: Props<Data>) {
  if (of.refusal) return <RefusalNote refusal={of.refusal} again={of.again} />;
  if (of.data === null) {
    return <div aria-busy="true">{skeleton ?? <Skeleton height={height} radius="md" aria-label="Loading" />}</div>;
  }
  return (
    <div aria-busy={of.isStale} style={{ opacity: of.isStale ? 0.6 : 1, transition: 'opacity 150ms 150ms' }}>
      {children(of.data)}
    </div>
  );
}
