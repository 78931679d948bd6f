import { Text } from '@mantine/core';
import { Link } from 'wouter';
import { useAnswer } from '../api/use-api.ts';
import { DataTable, TwoLines, type Column } from '../parts/list/table.tsx';
import { Card } from '../parts/page/card.tsx';
import { percent, signedMoney, words } from '../words/format.ts';
import classes from './drivers.module.css';
import { DriverResource, SubAccountNames, type AnomalyDetails } from './queries.ts';

type Driver = AnomalyDetails['explanation']['drivers'][number];

/** Cost difference broken down by one dimension after another. */
export function DriversCard({ anomaly }: { readonly anomaly: AnomalyDetails }) {
  const { drivers } = anomaly.explanation;
  if (drivers.length === 0) return null;
  const columns: Column<Driver>[] = [
    { title: 'By', cell: ({ dimension }) => words(dimension), hideOn: 'phone' },
    { title: 'What', grow: true, cell: (driver) => <DriverValue driver={driver} anomaly={anomaly} /> },
    { title: 'Difference', align: 'right', cell: ({ change }) => signedMoney(change, anomaly.currency) },
    { title: 'Share', cell: ({ share }) => <Share percent={share} /> },
  ];
  return (
    <Card title="Cost drivers" note="Each breakdown adds up to the whole difference" flush>
      <DataTable
        label="Drivers of the difference"
        rows={drivers}
        columns={columns}
        keyOf={({ dimension, value }) => `${dimension} ${value}`}
      />
    </Card>
  );
}

function Share({ percent: share }: { readonly percent: number }) {
  const width = `${Math.max(0, Math.min(100, share))}%`;
  return (
    <div className={classes.share}>
      <div className={classes.track} aria-hidden>
        <div style={{ width }} />
      </div>
      <span>{percent(share)}</span>
    </div>
  );
}

interface ValueProps {
  readonly driver: Driver;
  readonly anomaly: AnomalyDetails;
}

function DriverValue({ driver, anomaly }: ValueProps) {
  const { dimension, value } = driver;
  if (value === '') return <Text size="sm">Not named on the bill</Text>;
  switch (dimension) {
    case 'RESOURCE':
      return <ResourceValue nativeId={value} accountId={anomaly.accountId} />;
    case 'SUB_ACCOUNT':
      return <SubAccountValue id={value} anomaly={anomaly} />;
    case 'PRICING':
      return words(value);
    case 'REGION':
    case 'USAGE_TYPE':
      return value;
    default:
      return dimension satisfies never;
  }
}

/** Resource by its provider ID; a link if it is in the inventory. */
function ResourceValue({ nativeId, accountId }: { readonly nativeId: string; readonly accountId: string }) {
  const { data } = useAnswer(
    DriverResource,
    { accountId: [accountId], search: nativeId },
    { pause: nativeId.length > 500 },
  );
  const folded = nativeId.toLowerCase();
  const found = data?.inventory?.data.find((resource) => resource.nativeId.toLowerCase() === folded);
  if (!found) return nativeId;
  return <TwoLines top={<Link href={`/inventory/${found.id}`}>{found.name}</Link>} below={nativeId} />;
}

function SubAccountValue({ id, anomaly }: { readonly id: string; readonly anomaly: AnomalyDetails }) {
  const { accountId, startDate, endDate } = anomaly;
  const { data } = useAnswer(SubAccountNames, { accountId: [accountId], startDate, endDate });
  const all = data?.costsByAccount?.groups.flatMap(({ subAccounts }) => subAccounts) ?? [];
  const name = all.find(({ subAccountId }) => subAccountId === id)?.subAccountName;
  return name && name !== id ? <TwoLines top={name} below={id} /> : id;
}
