import { IconFileUpload, IconTrash } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import * as operations from '../../../../schema/operations.ts';
import { graphql, type RecordOf } from '../../api/graphql.ts';
import { useAnswer } from '../../api/use-api.ts';
import { ConfirmDialog } from '../../parts/form/dialog.tsx';
import { usePeople } from '../../parts/choices/choices.tsx';
import { ActMenu } from '../../parts/form/menu.tsx';
import { Pager } from '../../parts/list/list.tsx';
import { type Column, DataTable, actsColumn } from '../../parts/list/table.tsx';
import { pageOf, useUrlState } from '../../parts/list/url-state.ts';
import { Card } from '../../parts/page/card.tsx';
import { Empty, Shown } from '../../parts/page/page.tsx';
import { bytes, counted, moment } from '../../words/format.ts';
import { type Account, isSyncing, syncSign } from '../queries.ts';
import { DropZone, useUploads } from './drop-zone.tsx';
import { isNewer, monthsOrState } from './state.ts';

/** ID of the card, for links to it. */
export const filesId = 'files';

interface Props {
  readonly account: Account;
  readonly mayWrite: boolean;
  /** Called after an upload or a deletion, which start a sync. */
  onChange(): void;
}

/** Uploaded files of an account, with a zone to drop more. */
export function FilesCard({ account, mayWrite, onChange }: Props) {
  const { id, status } = account;
  const state = useUrlState();
  const answer = useAnswer(AccountFiles, { id, page: pageOf(state), perPage: 50 });
  const { again } = answer;
  const changed = () => {
    again();
    onChange();
  };
  const uploads = useUploads(id, changed);
  const [removed, setRemoved] = useState<UploadedFile | null>(null);
  // The sync finds the months of new files.
  const sign = syncSign(account);
  useEffect(again, [sign, again]);
  const files = answer.data?.accountFiles?.data ?? [];
  // A file uploaded during a sync is loaded by the next one, which starts shortly after.
  const isAwaited = !isSyncing(account) && files.some((file) => isNewer(file, account));
  useEffect(() => {
    if (!isAwaited) return undefined;
    const timer = setTimeout(onChange, 3000);
    return () => clearTimeout(timer);
  }, [isAwaited, onChange]);
  const total = answer.data?.accountFiles?.pagination.total ?? 0;
  return (
    <Card id={filesId} title="Files" note={total > 0 ? counted(total, 'file') : null} flush>
      {mayWrite && status === 'CONNECTED' && <DropZone {...uploads} />}
      <Shown of={answer} height={120}>
        {({ accountFiles }) => (
          <>
            <Files account={account} files={accountFiles?.data ?? []} onRemove={mayWrite ? setRemoved : null} />
            {accountFiles && accountFiles.pagination.totalPages > 1 && (
              <Pager of={accountFiles.pagination} state={state} noun={['file']} />
            )}
          </>
        )}
      </Shown>
      {removed && (
        <ConfirmDialog
          title={`Delete ${removed.name}?`}
          verb="Delete"
          danger
          text="Its charges are removed with the next sync. Months that no other file contains are removed."
          mutation={DeleteFile}
          variables={{ id, fileId: removed.id }}
          confirmation={`${removed.name} is deleted. A sync has started.`}
          onDone={changed}
          onClose={() => setRemoved(null)}
        />
      )}
    </Card>
  );
}

interface FilesProps extends Pick<Props, 'account'> {
  readonly files: readonly UploadedFile[];
  /** Null: the user may not delete files. */
  readonly onRemove: ((file: UploadedFile) => void) | null;
}

function Files({ account, files, onRemove }: FilesProps) {
  const personOf = usePeople();
  if (files.length === 0)
    return (
      <Empty icon={IconFileUpload} title="No files yet" text="The charges of uploaded files appear after a sync." />
    );
  const columns: readonly Column<UploadedFile>[] = [
    { title: 'Name', grow: true, cell: ({ name }) => <strong>{name}</strong> },
    {
      title: 'Months',
      cell: (file) => monthsOrState(file, account),
    },
    { title: 'Size', align: 'right', hideOn: 'phone', cell: ({ sizeBytes }) => bytes(sizeBytes) },
    { title: 'Uploaded', hideOn: 'phone', cell: ({ createdAt }) => moment(createdAt) },
    { title: 'By', hideOn: 'tablet', cell: ({ createdById }) => personOf(createdById) ?? '–' },
  ];
  const acts = actsColumn((file: UploadedFile) => (
    <ActMenu
      label={`Actions for ${file.name}`}
      items={[{ label: 'Delete', Icon: IconTrash, danger: true, onClick: () => onRemove?.(file) }]}
    />
  ));
  return <DataTable label="Uploaded files" rows={files} columns={onRemove ? [...columns, acts] : columns} />;
}

/** The newest uploaded files of an account. */
const AccountFiles = graphql(operations.accountFiles, [graphql(operations.AccountFileFields)]);

const DeleteFile = graphql(operations.deleteAccountFile);

export type UploadedFile = RecordOf<typeof AccountFiles>;
