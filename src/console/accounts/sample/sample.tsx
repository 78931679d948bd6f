import * as operations from '../../../../schema/operations.ts';
import { Alert, Group, Text } from '@mantine/core';
import { IconFlask } from '@tabler/icons-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { graphql } from '../../api/graphql.ts';
import { useMay, useMe } from '../../api/me.tsx';
import { useAct } from '../../api/use-api.ts';
import { ActDialog, done } from '../../parts/form/dialog.tsx';
import { Act } from '../../parts/form/menu.tsx';
import { Status } from '../../parts/page/card.tsx';
import { RefusalAlert } from '../../parts/page/page.tsx';

const LoadSampleData = graphql(operations.loadSampleData);
const RemoveSampleData = graphql(operations.removeSampleData);

/** Whether the user can load and remove sample data. */
function useMaySample(): boolean {
  const { accountAccess } = useMe();
  return useMay('accounts.write') && accountAccess === null;
}

/** Whether sample data is offered: to Admins of an organization without accounts. */
export function useSampleOffer(): boolean {
  const { accountCount, sampleData } = useMe().organization;
  return useMaySample() && accountCount === 0 && !sampleData;
}

/** Loads sample data, and opens the overview, which shows the progress. */
export function LoadSample() {
  const { act, isBusy, refusal, clear } = useAct(LoadSampleData);
  const [, go] = useLocation();
  const load = async () => {
    if (!(await act({}))) return;
    done('Sample data is loading. It takes less than a minute.');
    go('/');
  };
  return (
    <>
      <Act label="Load sample data" Icon={IconFlask} loading={isBusy} onClick={() => void load()} />
      <RefusalAlert refusal={refusal} onOver={clear} />
    </>
  );
}

/** Badge of an account with sample data. */
export function SampleBadge() {
  return <Status value="SAMPLE" tone="busy" />;
}

/** Says that figures include sample data, with a button that removes it. */
export function SampleNote() {
  const { sampleData } = useMe().organization;
  const mayRemove = useMaySample();
  const [isOpen, setOpen] = useState(false);
  if (!sampleData) return null;
  return (
    <Alert icon={<IconFlask size={18} aria-hidden />} p="xs">
      <Group justify="space-between" gap="xs">
        <Text size="sm">You are looking at sample data of a made-up company.</Text>
        {mayRemove && <Act label="Remove sample data" size="compact-sm" onClick={() => setOpen(true)} />}
      </Group>
      {isOpen && <RemoveSample onClose={() => setOpen(false)} />}
    </Alert>
  );
}

/** Confirms the removal of sample data. */
export function RemoveSample({ onClose }: { onClose(): void }) {
  const [, go] = useLocation();
  return (
    <ActDialog
      title="Remove sample data"
      verb="Remove"
      danger
      text="Deletes the sample accounts with their costs, resources, anomalies and recommendations, and the budgets, alert rules, tag policies, schedules, reports, saved views, dashboards and notes of these accounts only. Other accounts are not affected."
      mutation={RemoveSampleData}
      variables={{}}
      confirmation="Sample data is removed."
      // The page of a deleted account would refetch it and get a 404.
      onDone={() => go('/')}
      onClose={onClose}
    />
  );
}
