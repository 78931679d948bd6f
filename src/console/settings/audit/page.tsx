import { Stack, Tooltip } from '@mantine/core';
import { IconListDetails } from '@tabler/icons-react';
import { useState } from 'react';
import * as operations from '../../../../schema/operations.ts';
import { graphql, type RecordOf } from '../../api/graphql.ts';
import { useAllPages } from '../../api/all-pages.ts';
import { Muted } from '../../parts/form/menu.tsx';
import { useAccountNames } from '../../parts/choices/choices.tsx';
import { Dialog, IconAct } from '../../parts/form/dialog.tsx';
import { anyOf, anyText, dayRange, useList } from '../../parts/list/definition.tsx';
import type { Choice } from '../../parts/list/filters.tsx';
import { ListPage } from '../../parts/list/list.tsx';
import { TwoLines, type Column, actsColumn } from '../../parts/list/table.tsx';
import { Facts, type Fact } from '../../parts/page/card.tsx';
import { CodeBlock } from '../../parts/page/copy.tsx';
import { Empty } from '../../parts/page/page.tsx';
import { addDays, today } from '../../words/days.ts';
import { ago, moment, words } from '../../words/format.ts';
import { SettingsPage } from '../settings-page.tsx';
import { factsOf, type Fact as Detail } from './words.ts';
import { MemberList } from '../members/queries.ts';

const list = {
  csv: ['/audit-logs', 'audit-log'],
  perPage: 50,
  filters: {
    ...dayRange(() => ({ from: addDays(today(), -89), to: today() })),
    action: anyOf('action', 'Action', operations.AuditAction, { labelOf: actionName }),
    actorId: anyText('person', 'User', useActors),
  },
} as const;

/** Audit log: every action with actor, time and origin. */
export function AuditPage() {
  const [opened, setOpened] = useState<Entry | null>(null);
  const accountName = useAccountNames();
  return (
    <>
      <ListPage
        title="Audit log"
        lead="Actions in the organization, with user, time and origin. Entries are read-only and kept for 90 days."
        Frame={SettingsPage}
        list={useList(list, AuditList)}
        columns={columnsFor(setOpened, accountName)}
        noun={['entry', 'entries']}
        empty={<Empty title="No entries yet" />}
      />
      {opened && <EntryDialog entry={opened} accountName={accountName} onClose={() => setOpened(null)} />}
    </>
  );
}

function useActors(): Choice[] {
  const { rows } = useAllPages(MemberList, { sortBy: 'NAME_ASC' });
  return (rows ?? []).map(({ user }) => ({ value: user.id, label: `${user.name} · ${user.email}` }));
}

/** Names of actions that the console words differently from the API. */
const actionNames = new Map<string, string>([
  ['LOGIN', 'Sign-in'],
  ['FAILED_LOGIN', 'Failed sign-in'],
  ['LOGOUT', 'Sign-out'],
  ['TWO_FACTOR_ENABLED', 'Two-factor authentication enabled'],
  ['TWO_FACTOR_DISABLED', 'Two-factor authentication disabled'],
  ['ANNOTATION_CREATED', 'Note created'],
  ['ANNOTATION_UPDATED', 'Note updated'],
  ['ANNOTATION_DELETED', 'Note deleted'],
]);

function actionName(action: Entry['action']): string {
  return actionNames.get(action) ?? words(action);
}

/** The server marks what the operator did with `npm run admin`; clients cannot write details. */
function actorOf({ actor, details }: Entry): string {
  const isCommandLine = actor.id === null && details['by'] === 'command_line';
  return actor.email ?? (isCommandLine ? 'Command line' : 'Not signed in');
}

type AccountName = (id: string) => string;

function columnsFor(onOpen: (entry: Entry) => void, accountName: AccountName): readonly Column<Entry>[] {
  return [
    { title: 'Time', sortBy: 'timestamp', cell: ({ timestamp }) => <When at={timestamp} /> },
    {
      title: 'Action and user',
      sortBy: 'action',
      cell: (entry) => <TwoLines top={actionName(entry.action)} below={actorOf(entry)} />,
    },
    {
      title: 'Details',
      grow: true,
      hideOn: 'phone',
      cell: (entry) => (
        <Muted size="xs" lineClamp={2}>
          {[...accountFact(entry, accountName), ...factsOf(entry.details, accountName)]
            .map(({ name, text }) => `${name}: ${text}`)
            .join(' · ')}
        </Muted>
      ),
    },
    actsColumn((entry) => (
      <IconAct
        label={`Show ${actionName(entry.action)} of ${moment(entry.timestamp)}`}
        tip="Show details"
        Icon={IconListDetails}
        onClick={() => onOpen(entry)}
      />
    )),
  ];
}

/** Day above time, so that both fit on a phone. */
function When({ at }: { readonly at: string }) {
  const [day = '', year = '', time = ''] = moment(at).split(', ');
  return (
    <Tooltip label={ago(at)}>
      <div>
        <TwoLines top={`${day}, ${year}`} below={time} />
      </div>
    </Tooltip>
  );
}

/** Names the account that was changed, unless the details do. */
function accountFact({ resourceType, resourceId, details }: Entry, accountName: AccountName): Detail[] {
  const isAccount = resourceType === 'ACCOUNT' && resourceId !== null && !('name' in details);
  return isAccount ? [{ name: 'Account', text: accountName(resourceId) }] : [];
}

interface EntryDialogProps {
  readonly entry: Entry;
  readonly accountName: AccountName;
  onClose(): void;
}

/** Dialog with all details of an entry. */
function EntryDialog({ entry, accountName, onClose }: EntryDialogProps) {
  const { action, timestamp, ipAddress, userAgent, details } = entry;
  const shown = [...accountFact(entry, accountName), ...factsOf(details, accountName)];
  const detailFacts = shown.map(({ name, text }): Fact => [name, text]);
  return (
    <Dialog opened onClose={onClose} title={actionName(action)} size="lg">
      <Stack gap="md">
        <Facts
          facts={[
            ['Time', moment(timestamp)],
            ['User', actorOf(entry)],
            ['Resource', <Thing key="resource" entry={entry} />],
            ['IP address', ipAddress],
            ['User agent', userAgent || 'None sent'],
            ...detailFacts,
          ]}
        />
        {Object.keys(details).length > 0 && (
          <CodeBlock code={JSON.stringify(details, null, 2)} label="details as JSON" />
        )}
      </Stack>
    </Dialog>
  );
}

/** Names of resources that the console words differently from the API. */
const resourceNames = new Map<string, string>([
  ['ANNOTATION', 'Note'],
  ['ANNOTATIONS', 'Notes'],
]);

function Thing({ entry: { resourceType, resourceId } }: { readonly entry: Entry }) {
  return (
    <>
      {resourceNames.get(resourceType) ?? words(resourceType)}
      {resourceId && <Muted size="xs">{resourceId}</Muted>}
    </>
  );
}

export const AuditList = graphql(operations.auditLogs, [graphql(operations.AuditEntryFields)]);

/** Entry of the audit log. */
export type Entry = RecordOf<typeof AuditList>;
