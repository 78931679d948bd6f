import { Anchor, Button } from '@mantine/core';
import { IconCircleCheck, IconTargetArrow } from '@tabler/icons-react';
import { Link } from 'wouter';
import { useMay } from '../api/me.tsx';
import { toneOf } from '../budgets/tone.ts';
import { Card } from '../parts/card.tsx';
import { Empty } from '../parts/empty.tsx';
import { Meter } from '../parts/meter.tsx';
import { StatusOf } from '../parts/status.tsx';
import { money, percent } from '../words/format.ts';
import { ItemList } from './item-list.tsx';
import type { Findings } from './queries.ts';

interface Props extends Pick<Findings, 'atRisk'> {
  /** How many budgets there are, at risk or not. */
  readonly all: number;
}

/** Budgets that have reached a threshold, or are spent. */
export function BudgetsCard({ atRisk, all }: Props) {
  const { data = [], pagination } = atRisk ?? {};
  const isCut = pagination && pagination.total > data.length;
  return (
    <Card
      title="Budgets at risk"
      note={isCut ? `the ${data.length} fullest of ${pagination.total}` : undefined}
      actions={
        <Anchor component={Link} href="/budgets" size="sm" aria-label="All budgets">
          All
        </Anchor>
      }
    >
      {data.length === 0 ? (
        <NoneAtRisk all={all} />
      ) : (
        <ItemList
          items={data.map((one) => ({
            key: one.id,
            name: one.name,
            href: `/budgets/${one.id}`,
            badge: <StatusOf value={one.status} />,
            below: <Used budget={one} />,
            figure: percent(one.percentUsed, 0),
          }))}
        />
      )}
    </Card>
  );
}

type Budget = NonNullable<Findings['atRisk']>['data'][number];

function Used({ budget }: { readonly budget: Budget }) {
  const { name, amount, currency, currentSpend, percentUsed, forecastedSpend, status } = budget;
  return (
    <>
      <div style={{ margin: '5px 0 3px' }}>
        <Meter percent={percentUsed} tone={toneOf(status)} label={`Budget ${name}`} />
      </div>
      {money(currentSpend, currency)} of {money(amount, currency)}
      {forecastedSpend !== null && `, forecast ${money(forecastedSpend, currency)}`}
    </>
  );
}

function NoneAtRisk({ all }: { readonly all: number }) {
  const mayWrite = useMay('budgets.write');
  if (all > 0)
    return (
      <Empty icon={IconCircleCheck} title="No budget is at risk" text="None has reached a threshold this month." />
    );
  return (
    <Empty
      icon={IconTargetArrow}
      title="No budgets yet"
      text="A budget tells you before a month gets dearer than it should."
      action={
        mayWrite && (
          <Button component={Link} href="/budgets/new" variant="default" size="xs">
            Create a budget
          </Button>
        )
      }
    />
  );
}
