import { Anchor, Button, Text } from '@mantine/core';
import { IconCircleCheck, IconTargetArrow } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useMay } from '../api/me.tsx';
import { toneOf } from '../budgets/form.ts';
import { Card } from '../parts/page/card.tsx';
import { Empty } from '../parts/page/shown.tsx';
import { Meter, StatusOf } from '../parts/page/status.tsx';
import { typeName, typeProvider } from '../recommendations/types.ts';
import { counted, days, money, percent, signedMoney } from '../words/format.ts';
import { providerName } from '../words/names.ts';
import classes from './overview.module.css';
import type { Findings } from './queries.ts';

/** Open anomalies, those that cost most first. */
export function AnomaliesCard({ anomalies }: Pick<Findings, 'anomalies'>) {
  const { data = [], pagination } = anomalies ?? {};
  return (
    <Card
      title="Open anomalies"
      note={
        pagination && pagination.total > data.length ? `the ${data.length} largest of ${pagination.total}` : undefined
      }
      actions={
        <Anchor component={Link} href="/anomalies" size="sm" aria-label="All anomalies">
          All
        </Anchor>
      }
    >
      {data.length === 0 ? (
        <Empty
          icon={IconCircleCheck}
          title="No anomaly is open"
          text="After every sync the days are compared with what was to be expected."
        />
      ) : (
        <ItemList
          items={data.map((one) => ({
            key: one.id,
            name: one.service,
            href: `/anomalies/${one.id}`,
            badge: <StatusOf value={one.severity} />,
            below: [days(one.startDate, one.endDate), providerName(one.provider), one.region]
              .filter(Boolean)
              .join(' · '),
            figure: signedMoney(one.impact, one.currency),
          }))}
        />
      )}
    </Card>
  );
}

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
        <Meter percent={percentUsed} tone={toneOf[status]} label={`Budget ${name}`} />
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

/** Types that are told. */
const most = 5;

/** What could be saved, by what would save it. */
export function SavingsCard({ summary }: { readonly summary: Findings['recommendationsSummary'] }) {
  const types = (summary?.byType ?? []).slice(0, most);
  return (
    <Card
      title="Savings available"
      note={
        summary && summary.totalCount > 0
          ? `${money(summary.totalEstimatedMonthlySavings, summary.currency)} a month`
          : undefined
      }
      actions={
        <Anchor component={Link} href="/recommendations" size="sm" aria-label="All recommendations">
          All
        </Anchor>
      }
    >
      {!summary || types.length === 0 ? (
        <Empty icon={IconCircleCheck} title="Nothing to save right now" text="Recommendations come with every sync." />
      ) : (
        <ItemList
          items={types.map(({ type, count, estimatedMonthlySavings }) => ({
            key: type,
            name: typeName(type),
            href: `/recommendations?${new URLSearchParams({ type }).toString()}`,
            below: [counted(count, 'recommendation'), typeProvider(type)].filter(Boolean).join(' · '),
            figure: money(estimatedMonthlySavings, summary.currency),
          }))}
        />
      )}
      {summary && summary.unconverted.length > 0 && (
        <Text size="xs" c="dimmed" mt="xs">
          Beside {summary.unconverted.map((one) => money(one.estimatedMonthlySavings, one.currency)).join(', ')} without
          an exchange rate.
        </Text>
      )}
    </Card>
  );
}

interface Item {
  readonly key: string;
  readonly name: string;
  readonly href: string;
  /** Beside the name, such as a state. */
  readonly badge?: ReactNode;
  readonly below?: ReactNode;
  readonly figure?: ReactNode;
}

/** A few things that lead on, a line or two each. */
export function ItemList({ items }: { readonly items: readonly Item[] }) {
  return (
    <ul className={classes.list}>
      {items.map(({ key, name, href, badge, below, figure }) => (
        <li key={key} className={classes.item}>
          <div className={classes.what}>
            <Link href={href} className={classes.name}>
              {name}
            </Link>{' '}
            {badge}
            {below && <div className={classes.quiet}>{below}</div>}
          </div>
          {figure && <div className={classes.figure}>{figure}</div>}
        </li>
      ))}
    </ul>
  );
}
