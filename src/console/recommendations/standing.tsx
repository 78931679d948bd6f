import { Button, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import { useAct } from '../api/use-act.ts';
import { ReasonDialog } from '../parts/dialog.tsx';
import { done } from '../parts/done.ts';
import { words } from '../words/names.ts';
import { ChangeRecommendation, type RecommendationDetails } from './queries.ts';

type Status = RecommendationDetails['status'];

const statuses = ['OPEN', 'IN_PROGRESS', 'APPLIED', 'ARCHIVED'] as const satisfies readonly Status[];

const meanings: Readonly<Record<Status, string>> = {
  OPEN: 'Nobody has taken it up.',
  IN_PROGRESS: 'Somebody is at it.',
  APPLIED: 'It was carried out. From now on the bill is asked what it saved.',
  ARCHIVED: 'It is set aside. Syncs keep it archived.',
};

/** Changes the status of a recommendation. */
export function StatusMenu({ recommendation }: { readonly recommendation: RecommendationDetails }) {
  const [asked, setAsked] = useState<Status | null>(null);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button rightSection={<IconChevronDown size={15} aria-hidden />}>Change status</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {/* The status of now is no choice; disabled, as the first item, it would keep the focus out of the menu. */}
          {statuses
            .filter((status) => status !== recommendation.status)
            .map((status) => (
              <Menu.Item key={status} onClick={() => setAsked(status)}>
                {words(status)}
              </Menu.Item>
            ))}
        </Menu.Dropdown>
      </Menu>
      {asked && <Change id={recommendation.id} status={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

interface ChangeProps {
  readonly id: string;
  readonly status: Status;
  onClose(): void;
}

function Change({ id, status, onClose }: ChangeProps) {
  const { act, isBusy, refusal } = useAct(ChangeRecommendation);
  const name = words(status).toLowerCase();
  const submit = async (reason: string | null) => {
    if (!(await act({ id, status, reason }))) return;
    onClose();
    done(`The recommendation is ${name}.`);
  };
  return (
    <ReasonDialog
      isOpen
      title={`Mark as ${name}`}
      verb={`Mark as ${name}`}
      text={meanings[status]}
      isBusy={isBusy}
      refusal={refusal}
      onSubmit={(reason) => void submit(reason)}
      onClose={onClose}
    />
  );
}
