import { SimpleGrid, Stack } from '@mantine/core';
import { FigureCard } from '../../parts/figure-card.tsx';
import { Status } from '../../parts/status.tsx';
import { ago, counted, day, days, moment } from '../../words/format.ts';
import type { Account } from '../queries.ts';
import { AccountSpendFigure } from './spend.tsx';
import { ConnectionCard } from './connection-card.tsx';
import { Notes } from './notes.tsx';
import { SyncCard } from './sync-card.tsx';

interface Props {
  readonly account: Account;
  readonly mayWrite: boolean;
}

/** Everything that there is to know of an account. */
export function AccountWhole({ account, mayWrite }: Props) {
  const { completeThrough, dataFrom, dataTo, lastSyncedAt, status } = account;
  return (
    <Stack gap="md">
      <Notes account={account} mayWrite={mayWrite} />
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="md">
        <AccountSpendFigure account={account} />
        <FigureCard
          label="Complete through"
          value={completeThrough ? day(completeThrough) : '–'}
          below={completeThrough ? 'Later days still grow' : 'Known after the first sync'}
        />
        <FigureCard
          label="Bills"
          value={dataFrom && dataTo ? counted(monthsOf(dataFrom, dataTo), 'month') : 'None yet'}
          below={dataFrom && dataTo && days(dataFrom, dataTo)}
        />
        <FigureCard
          label="Last good sync"
          value={lastSyncedAt ? ago(lastSyncedAt) : 'Never'}
          below={
            status === 'DISCONNECTED' ? <Status value={status} tone="quiet" /> : lastSyncedAt && moment(lastSyncedAt)
          }
        />
      </SimpleGrid>
      {status === 'CONNECTED' && <SyncCard account={account} mayWrite={mayWrite} />}
      <ConnectionCard account={account} />
    </Stack>
  );
}

/** Calendar months that two days and those between them touch. */
function monthsOf(from: string, to: string): number {
  const month = (of: string) => Number(of.slice(0, 4)) * 12 + Number(of.slice(5, 7));
  return month(to) - month(from) + 1;
}
